import { Injectable } from '@nestjs/common';
import type { Stored } from '../../kernel/decider.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import { idInStream } from '../../kernel/stream-name.js';
import { Timers } from '../../platform/timers/timers.js';
import type { RehearsalEvent } from './rehearsal.events.js';
import { START_TIMERS } from './start-rehearsal.timer.js';

/** Sets the timer that starts a rehearsal, sets it again when the rehearsal is moved, and cancels it with the rehearsal. */
@Injectable()
export class SetStartTimerWhenScheduled implements Reactor {
  readonly name = 'set-start-timer-when-scheduled';
  readonly startsAt = 'beginning';
  readonly handles: ReadonlySet<string> = new Set(['RehearsalScheduled', 'RehearsalMoved', 'RehearsalCancelled'] satisfies RehearsalEvent['type'][]);

  constructor(private readonly timers: Timers) {}

  async react(stored: StoredEvent): Promise<void> {
    const event = stored as Stored<RehearsalEvent>;
    const key = idInStream(event);
    const set = (at: number): Promise<void> => this.timers.set({ kind: START_TIMERS, key, at, position: event.position });
    if (event.type === 'RehearsalScheduled') await set(event.data.startsAt);
    else if (event.type === 'RehearsalMoved') await set(event.data.to);
    else await this.timers.cancel(START_TIMERS, key);
  }
}
