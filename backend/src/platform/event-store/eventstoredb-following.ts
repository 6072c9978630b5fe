import { setTimeout as pause } from 'node:timers/promises';
import type { AllStreamSubscription } from '@eventstore/db-client';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import { StoreAway } from '../store-errors.js';
import { isTooSlow } from './eventstoredb-errors.js';
import { Pulse } from './pulse.js';

/** What a silent or broken subscription costs a reader at most. */
const POLL_MS = 500;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** A subscription that told nothing for so long while there was something to tell is begun anew. */
const DEAF_MS = 2_000;

/** What following needs of the store. */
export interface FollowingOptions {
  /** Begins a live subscription to everything from now on. */
  readonly subscribe: () => AllStreamSubscription;
  /** Hears when the live subscription breaks, once, and when it is there again. */
  readonly onTrouble: (message: string) => void;
}

/**
 * One live subscription a process, which carries no events to anybody: it tells the readers that there is something to read. Each reads pages behind its own last
 * position, so that nothing depends on what the subscription lost, told twice or told late.
 */
export class EventStoreDbFollowing {
  readonly #pulse = new Pulse();
  readonly #closing = new AbortController();
  readonly #supervised: Promise<void>;
  #restart = new AbortController();
  #heardAt = 0;
  #isTold = false;
  /** Pages on their way. */
  readonly #reading = new Map<string, Promise<readonly StoredEvent[]>>();

  constructor(private readonly options: FollowingOptions) {
    this.#supervised = this.#supervise();
  }

  /** Pages from after a position on, until the signal aborts. @throws what `read` throws */
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
      // Whatever is told from here on is a reason to read again, also while the page is being read.
      const beat = this.#pulse.beat;
      const page = await this.#shared(beat, { after, limit, read });
      if (signal.aborted) return;
      const last = page.at(-1);
      if (last === undefined) {
        isPolled = !(await this.#pulse.after(beat, { signal, milliseconds: POLL_MS }));
        continue;
      }
      if (isPolled) this.#doubt();
      isPolled = false;
      yield page;
      after = last.position;
      // A short page ended where the log did: what came since was told.
      if (page.length < limit) isPolled = !(await this.#pulse.after(beat, { signal, milliseconds: POLL_MS }));
    }
  }

  /** Ends the subscription and wakes every reader, whose next read finds the log closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#pulse.wake();
    await this.#supervised;
  }

  /** Readers that stand at the same place and were woken by the same news read a page together. */
  #shared(
    beat: number,
    { after, limit, read }: { after: Position; limit: number; read: (after: Position, limit: number) => Promise<readonly StoredEvent[]> },
  ): Promise<readonly StoredEvent[]> {
    const key = `${beat} ${after} ${limit}`;
    const reading = this.#reading.get(key) ?? read(after, limit).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  /** A reader found by itself what it should have been told. */
  #doubt(): void {
    if (performance.now() - this.#heardAt > DEAF_MS) this.#restart.abort();
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      const confirmed = { is: false };
      const error = await this.#live(confirmed);
      if (signal.aborted) return;
      // A reader that was told of nothing looks now rather than half a second later.
      this.#pulse.wake();
      failures = confirmed.is ? 0 : failures + 1;
      if (!isTooSlow(error)) this.#tell(error);
      const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      // An abort ends the pause with an error, and the loop.
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  #tell(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.options.onTrouble(`following EventStoreDB was broken off, trying again: ${error instanceof Error ? error.message : String(error)}`);
  }

  /** One subscription from its beginning to its end, whoever brings that about. @returns why it ended */
  async #live(confirmed: { is: boolean }): Promise<unknown> {
    this.#restart = new AbortController();
    this.#heardAt = performance.now();
    const stop = AbortSignal.any([this.#closing.signal, this.#restart.signal]);
    const subscription = this.options.subscribe();
    const error = await new Promise<unknown>((resolve) => {
      const ended = (): void => resolve(new StoreAway('the subscription ended'));
      subscription.on('confirmation', () => {
        confirmed.is = true;
        if (this.#isTold) this.options.onTrouble('EventStoreDB is followed again');
        this.#isTold = false;
      });
      subscription.on('data', () => {
        this.#heardAt = performance.now();
        this.#pulse.wake();
      });
      // Errors after its end have nobody else to hear them.
      subscription.on('error', resolve).on('end', ended).on('close', ended);
      if (stop.aborted) ended();
      else stop.addEventListener('abort', ended, { once: true });
    });
    // One that never began has nothing to cancel.
    void subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
    return error;
  }
}
