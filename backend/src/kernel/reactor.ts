import type { StoredEvent } from './event.js';

/**
 * Turns events into effects outside the log. Delivered at least once, in order, from a checkpoint of its own; `react` must therefore
 * carry a key made from the event's id into whatever it does. What it finds out comes back as a command of the system.
 */
export interface Reactor {
  /** The name of its checkpoint; never changes. */
  readonly name: string;
  /** Where it begins on its first deployment. */
  readonly startsAt: 'end' | 'beginning';
  /** The event types it answers to; the others are passed over. */
  readonly handles: ReadonlySet<string>;
  react(event: StoredEvent, signal: AbortSignal): Promise<void>;
}
