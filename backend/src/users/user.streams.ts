import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { type CommandContext, type Executed, type ExecuteOptions, Streams } from '../platform/streams/streams.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { CLOCK } from '../platform/tokens.js';
import { PROFILES, USERS } from './users.documents.js';
import { type Person, type Registration, type UserCommand, userDecider, type UserState } from './user.decider.js';

const systemContext = (commandId: string, at: Instant): CommandContext => ({ actor: SYSTEM, at, commandId, correlationId: commandId, causationId: null });

/** Where the pictures of a person's profile are stored. */
export const pictureKey = (uid: Uid, file: string): string => `${uid}/Images/ProfilePictures/${file}`;

/** The keys of a person's current pictures. */
export function pictureKeysOf(person: Pick<Person, 'uid' | 'photo' | 'cover'> | null): readonly string[] {
  if (person === null) return [];
  const { uid, photo, cover } = person;
  return [...(photo === null ? [] : [photo.small, photo.large]), ...(cover === null ? [] : [cover.file])].map((file) => pictureKey(uid, file));
}

/** The only writer of user streams, and their current state. */
@Injectable()
export class UserStreams {
  private readonly bound: BoundStream<UserState, UserCommand, UserStreamEvent>;

  constructor(
    streams: Streams,
    readSide: ReadSide,
    private readonly security: SecurityLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.bound = new BoundStream({ decider: userDecider, stream: userStream, collections: [USERS, PROFILES] }, streams, readSide);
  }

  /** Registers a user; does nothing if registered already. Waits until the users read model shows it. */
  async register(registration: Registration): Promise<Executed<UserStreamEvent>> {
    const { uid, guest } = registration;
    const isNew = !guest && !(await this.isRegistered(uid));
    try {
      return await this.bound.run(systemContext(randomUUID(), this.clock()), uid, { type: 'RegisterUser', data: registration });
    } finally {
      // Also if only the read models lag: the account exists, and a repeat does nothing.
      if (isNew && (await this.isRegistered(uid))) this.security.record('account.created', { target: uid });
    }
  }

  /** Runs a command of the person whose stream it is, and waits until the users read model shows what it did. @throws as {@link BoundStream.run} */
  run(
    context: CommandContext,
    uid: Uid,
    command: UserCommand | (() => Promise<UserCommand>),
    options?: ExecuteOptions<UserState, UserStreamEvent>,
  ): Promise<Executed<UserStreamEvent>> {
    return this.bound.run(context, uid, command, options);
  }

  /** A command's answer, read after what it did. */
  answer<Body>(done: Executed<UserStreamEvent>, make: () => Promise<NoInfer<AsPreferred<Body>>>): Promise<CommandAnswer<Body>> {
    return this.bound.answer(done, make);
  }

  /** Records a user's erasure in the log; does nothing for an unknown or erased user. Waits until every read model holds it. */
  async erase(uid: Uid, at: Instant): Promise<Executed<UserStreamEvent>> {
    const erased = await this.bound.runEverywhere(systemContext(`erase-${uid}`, at), uid, { type: 'EraseUser', data: { uid } });
    // Also when an earlier attempt appended it.
    if (erased.events.length > 0) this.security.record('account.erased', { target: uid });
    return erased;
  }

  /** Whether a user was erased. */
  async isErased(uid: Uid): Promise<boolean> {
    return (await this.bound.state(uid)).erased;
  }

  /** The user registered under a uid, or null. */
  async person(uid: Uid): Promise<UserState['person']> {
    return (await this.bound.state(uid)).person;
  }

  async isRegistered(uid: Uid): Promise<boolean> {
    return (await this.person(uid)) !== null;
  }
}
