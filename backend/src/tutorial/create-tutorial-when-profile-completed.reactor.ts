import { Inject, Injectable } from '@nestjs/common';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { Refused } from '../kernel/refusal.js';
import type { Clock } from '../platform/clock.js';
import { CLOCK } from '../platform/tokens.js';
import { Tutorials } from './tutorials.js';

/** Gives users their tutorial project when the welcome form was accepted. */
@Injectable()
export class CreateTutorialWhenProfileCompleted implements Reactor {
  readonly name = 'create-tutorial-when-profile-completed';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set(['UserProfileCompleted']);

  constructor(
    private readonly tutorials: Tutorials,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async react({ id, data, meta }: StoredEvent, signal: AbortSignal): Promise<void> {
    const { uid } = data as UserEvents['UserProfileCompleted'];
    try {
      await this.tutorials.ensure(uid, { at: this.clock(), correlationId: meta.correlationId, causationId: id, signal });
    } catch (error) {
      // Erased in the meantime.
      if (!(error instanceof Refused && error.code === 'user.not-found')) throw error;
    }
  }
}
