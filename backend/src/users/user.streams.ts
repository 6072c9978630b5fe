import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { type CommandContext, type Executed, Streams } from '../platform/streams/streams.js';
import { CLOCK } from '../platform/tokens.js';
import { USERS } from './users.documents.js';
import { type Registration, userDecider, type UserState } from './user.decider.js';

const systemContext = (commandId: string, at: Instant): CommandContext => ({ actor: SYSTEM, at, commandId, correlationId: commandId, causationId: null });

/** The one way to write on people's streams, and what they hold as of now. */
@Injectable()
export class UserStreams {
  constructor(
    private readonly streams: Streams,
    private readonly readSide: ReadSide,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Registers a person; does nothing when they are. Waits until people's read model shows it. */
  async register(registration: Registration): Promise<Executed<UserStreamEvent>> {
    const context = systemContext(randomUUID(), this.clock());
    const done = await this.streams.execute(userDecider, userStream(registration.uid), { type: 'RegisterUser', data: registration }, context);
    await this.readSide.hold(done.position, [USERS]);
    return done;
  }

  /** Says in the log that a person is erased; does nothing for somebody who never was, or was erased before. Waits until every read model holds it. */
  async erase(uid: Uid, at: Instant): Promise<Executed<UserStreamEvent>> {
    const done = await this.streams.execute(userDecider, userStream(uid), { type: 'EraseUser', data: { uid } }, systemContext(`erase-${uid}`, at));
    await this.readSide.hold(done.position);
    return done;
  }

  /** Whether somebody was erased. */
  async isErased(uid: Uid): Promise<boolean> {
    return (await this.streams.state(userDecider, userStream(uid))).erased;
  }

  /** Who registered under a uid; null for nobody (any more). */
  async person(uid: Uid): Promise<UserState['person']> {
    return (await this.streams.state(userDecider, userStream(uid))).person;
  }

  async isRegistered(uid: Uid): Promise<boolean> {
    return (await this.person(uid)) !== null;
  }
}
