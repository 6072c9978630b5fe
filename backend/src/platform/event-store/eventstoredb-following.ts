import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { Subscriber, Subscription } from './eventstoredb-connection.js';
import { isTooSlow } from './eventstoredb-errors.js';
import { Pulse } from './pulse.js';

/** Poll interval: the most a silent or broken subscription delays a reader. */
const POLL_MS = 500;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** A subscription silent for this long is restarted when polling finds events. */
const SILENT_MS = 2_000;

export interface FollowingOptions {
  /** Starts a live subscription to all events from now on. */
  readonly subscribe: (subscriber: Subscriber) => Promise<Subscription>;
  /** Called once when the live subscription breaks, and when it is restored. */
  readonly onTrouble: (message: string) => void;
}

/**
 * One live subscription per process, used only to wake readers. Each reader then reads pages after its own last position, so notifications that are lost, repeated
 * or late do no harm.
 */
export class EventStoreDbFollowing {
  readonly #pulse = new Pulse();
  readonly #closing = new AbortController();
  readonly #supervised: Promise<void>;
  #restart = new AbortController();
  #notifiedAt = 0;
  #isReported = false;
  /** Page reads in progress. */
  readonly #reading = new Map<string, Promise<readonly StoredEvent[]>>();

  constructor(private readonly options: FollowingOptions) {
    this.#supervised = this.#supervise();
  }

  /** Pages after a position, until the signal aborts. @throws what `read` throws */
  async *pages(options: {
    readonly after: Position;
    readonly signal: AbortSignal;
    readonly limit: number;
    readonly read: (after: Position, limit: number) => Promise<readonly StoredEvent[]>;
  }): AsyncGenerator<readonly StoredEvent[], void, void> {
    const { signal, limit, read } = options;
    let { after } = options;
    let isPolled = false;
    while (!signal.aborted) {
      // Taken before reading, so that a notification during the read triggers another read.
      const beat = this.#pulse.beat;
      const page = await this.#shared(beat, { after, limit, read });
      if (signal.aborted) return;
      const last = page.at(-1);
      if (last === undefined) {
        isPolled = !(await this.#pulse.after(beat, { signal, timeoutMs: POLL_MS }));
        continue;
      }
      if (isPolled) this.#restartIfSilent();
      isPolled = false;
      yield page;
      after = last.position;
      // A short page reached the end of the log; anything newer has caused a notification.
      if (page.length < limit) isPolled = !(await this.#pulse.after(beat, { signal, timeoutMs: POLL_MS }));
    }
  }

  /** Ends the subscription and wakes every reader; their next read throws because the log is closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#pulse.wake();
    await this.#supervised;
  }

  /** Readers at the same position that were woken together share one page read. */
  #shared(
    beat: number,
    { after, limit, read }: { after: Position; limit: number; read: (after: Position, limit: number) => Promise<readonly StoredEvent[]> },
  ): Promise<readonly StoredEvent[]> {
    const key = `${beat} ${after} ${limit}`;
    const reading = this.#reading.get(key) ?? read(after, limit).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  /** Restarts a silent subscription after a reader found events by polling. */
  #restartIfSilent(): void {
    if (performance.now() - this.#notifiedAt > SILENT_MS) this.#restart.abort();
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      const confirmed = { is: false };
      const error = await this.#live(confirmed);
      if (signal.aborted) return;
      // Readers check for missed events now instead of half a second later.
      this.#pulse.wake();
      failures = confirmed.is ? 0 : failures + 1;
      if (!isTooSlow(error)) this.#report(error);
      const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      // An abort rejects the pause; the loop condition then ends the loop.
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  #report(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.options.onTrouble(`the EventStoreDB subscription broke, retrying: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** Runs one subscription to its end. @returns why it ended */
  async #live(confirmed: { is: boolean }): Promise<unknown> {
    this.#restart = new AbortController();
    this.#notifiedAt = performance.now();
    const stop = AbortSignal.any([this.#closing.signal, this.#restart.signal]);
    const onConfirmed = (): void => {
      confirmed.is = true;
      if (this.#isReported) this.options.onTrouble('the EventStoreDB subscription is restored');
      this.#isReported = false;
    };
    const onEvent = (): void => {
      this.#notifiedAt = performance.now();
      this.#pulse.wake();
    };
    try {
      const subscription = await this.options.subscribe({ onConfirmed, onEvent });
      if (stop.aborted) subscription.stop();
      else stop.addEventListener('abort', () => subscription.stop(), { once: true });
      return await subscription.ended;
    } catch (error) {
      return error;
    }
  }
}
