import type { StoredEvent } from './event.js';

/**
 * Turns events into effects outside the log. Events are delivered at least once from the reactor's own checkpoint, those of one stream one after another and
 * in order, those of several streams at once; `react` must therefore pass a key derived from the event's id to whatever it does. Its results are recorded by
 * a command of the system.
 */
export interface Reactor {
  /** Names its checkpoint; never changes. */
  readonly name: string;
  /** Where a new reactor starts: after the last event from before any process of its version served, or at the first event ever. */
  readonly startsAt: 'end' | 'beginning';
  /** The event types it handles; others are skipped. */
  readonly handles: ReadonlySet<string>;
  react(event: StoredEvent, signal: AbortSignal): Promise<void>;
}
