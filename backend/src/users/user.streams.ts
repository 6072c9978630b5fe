import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { type CommandContext, type Executed, Streams } from '../platform/streams/streams.js';
import { CLOCK } from '../platform/tokens.js';
import { USERS } from './users.documents.js';
import { type Registration, type UserCommand, userDecider, type UserState } from './user.decider.js';

const systemContext = (commandId: string, at: Instant): CommandContext => ({ actor: SYSTEM, at, commandId, correlationId: commandId, causationId: null });

/** The only writer of user streams, and their current state. */
@Injectable()
export class UserStreams {
  private readonly bound: BoundStream<UserState, UserCommand, UserStreamEvent>;

  constructor(
    streams: Streams,
    readSide: ReadSide,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.bound = new BoundStream({ decider: userDecider, stream: userStream, collections: [USERS] }, streams, readSide);
  }

  /** Registers a user; does nothing if registered already. Waits until the users read model shows it. */
  register(registration: Registration): Promise<Executed<UserStreamEvent>> {
    return this.bound.run(systemContext(randomUUID(), this.clock()), registration.uid, { type: 'RegisterUser', data: registration });
  }

  /** Records a user's erasure in the log; does nothing for an unknown or erased user. Waits until every read model holds it. */
  erase(uid: Uid, at: Instant): Promise<Executed<UserStreamEvent>> {
    return this.bound.runEverywhere(systemContext(`erase-${uid}`, at), uid, { type: 'EraseUser', data: { uid } });
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
