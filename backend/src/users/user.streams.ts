import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import { ProjectionRunner } from '../platform/projection-runner.js';
import { type Executed, Streams } from '../platform/streams.js';
import { CLOCK } from '../platform/tokens.js';
import { type Registration, userDecider, type UserState } from './user.decider.js';

/** The one way to write on people's streams, and what they hold as of now. */
@Injectable()
export class UserStreams {
  constructor(
    private readonly streams: Streams,
    private readonly projections: ProjectionRunner,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Registers a person; does nothing when they are. Waits until the read models hold it. */
  async register(registration: Registration): Promise<Executed<UserStreamEvent>> {
    const commandId = randomUUID();
    const context = { actor: SYSTEM, at: this.clock(), commandId, correlationId: commandId, causationId: null };
    const done = await this.streams.execute(userDecider, userStream(registration.uid), { type: 'RegisterUser', data: registration }, context);
    await this.projections.hold(done.position);
    return done;
  }

  /** Who registered under a uid; null for nobody. */
  async person(uid: Uid): Promise<UserState['person']> {
    return (await this.streams.state(userDecider, userStream(uid))).person;
  }

  async isRegistered(uid: Uid): Promise<boolean> {
    return (await this.person(uid)) !== null;
  }
}
