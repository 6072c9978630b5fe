import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { SYSTEM } from '../../kernel/decider.js';
import type { CommandContext } from '../streams/streams.js';

/**
 * Something to do once, at or after an instant. `kind` and `key` name it: setting it again replaces it.
 * Key and data hold ids, numbers and days only (letters, digits, `-` and `_`), never texts: timers are not sealed, and erasing a person does not look
 * into them.
 */
export interface Timer {
  /** The handler's kind, in kebab-case. */
  readonly kind: string;
  /** Unique within the kind, at most 128 characters. */
  readonly key: string;
  /** Never fires before this instant, by the clock of the process that fires it. */
  readonly at: Instant;
  /** What else the handler needs. */
  readonly data?: Readonly<Record<string, Id>>;
  /** Of the event that it follows from: a restore of a log that ends before drops it, and a move to another log translates it. */
  readonly position?: Position;
  /** The user who caused it: the due timers of a kind fire in turns by this. Those without share one line. */
  readonly by?: Uid;
}

/** Does what the timers of one kind are for. */
export interface TimerHandler {
  /** In kebab-case; never changes, since stored timers name it. */
  readonly kind: string;
  /**
   * What happens, after a restore from a backup, to timers that were due before it: `fire` makes up for them (clean-ups), `drop` counts them as done
   * (reminders: people were reminded then).
   */
  readonly afterRestore: 'fire' | 'drop';
  /**
   * Called at least once for each timer, one at a time per kind. A timer is a wake-up call, not a fact: decide on the current state, in a command with
   * {@link timerContext}, so that a second call or a stale timer has no effect. May set the same timer again, at another instant.
   * @throws to be called again: without end for transient errors (`isTransient`), else a few times, after which the timer is parked
   */
  fire(timer: Timer, signal: AbortSignal): Promise<void>;
}

const KIND_FORM = /^[a-z][a-z0-9-]{0,39}$/;
const KEY_FORM = /^[A-Za-z0-9_-]{1,128}$/;

/** @throws Error for a kind, a key or data of another form: that is a programming error */
export function mustBeTimer({ kind, key, at, data = {}, by = key }: Timer): void {
  if (!KIND_FORM.test(kind)) throw new Error(`${kind} is not a kind of timers`);
  if (!Number.isSafeInteger(at) || at < 0) throw new Error(`${kind}: ${at} is not an instant`);
  for (const id of [key, by, ...Object.values(data)]) if (!KEY_FORM.test(id)) throw new Error(`${kind}: keys and data of timers are ids`);
}

/** The context of the command by which a handler acts: the same for every firing of the same timer, so that it takes effect once. */
export function timerContext({ kind, key, at }: Timer, now: Instant): CommandContext {
  const commandId = `${kind}-${key}-${at}`;
  return { actor: SYSTEM, at: now, commandId, correlationId: commandId, causationId: null };
}
