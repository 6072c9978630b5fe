import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { OfflineError, sentenceOf } from '../api/api-errors';
import { newCommandId } from '../api/own-commands';
import { readStored, writeStored } from './tab-storage';

/** The delivery state of one item. */
export interface Delivery {
  /** The Idempotency-Key: the same for every attempt. */
  readonly key: string;
  readonly at: Instant;
  readonly state: 'sending' | 'failed' | 'sent';
  readonly failure: string | null;
  /** True when no answer came: such an item is sent again once the network is back. */
  readonly isUnanswered?: boolean;
  /** The id that the server gave the item. */
  readonly sentAs: Id | null;
}

/** An item that is being sent, or that did not arrive. */
export type Outgoing<T> = T & Delivery;

export interface Attempt {
  /** The file that was sent along. */
  readonly file: File | undefined;
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
}

/** Sends one item to the server and returns the id that it got. */
export type Deliver<T> = (outgoing: Outgoing<T>, attempt: Attempt) => Promise<Id>;

/** What one account wrote in one place, until the server has it. */
export interface Outbox<T> {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => readonly Outgoing<T>[];
  readonly send: (item: T, file?: File) => void;
  /** Sends a failed item again under the same key. */
  readonly retry: (key: string) => void;
  readonly drop: (key: string) => void;
}

/** How long a sent item stays: the list shows the server's copy before the item disappears. */
const SENT_STAYS_MS = 1_000;
const INTERRUPTED = 'Sending was interrupted.';

/** After a reload it is unknown whether an item arrived; its key makes another attempt harmless. */
const interrupted = <T>(stored: readonly Outgoing<T>[]): readonly Outgoing<T>[] =>
  stored.filter(({ state }) => state !== 'sent').map((one) => ({ ...one, state: 'failed', failure: one.failure ?? INTERRUPTED }));

/** An outbox that survives a reload. It delivers between {@link start} and {@link stop} only. */
export class StoredOutbox<T> implements Outbox<T> {
  private items: readonly Outgoing<T>[];
  private running: AbortController | null = null;
  private readonly files = new Map<string, File>();
  private readonly listeners = new Set<() => void>();
  /** The server keeps one pending file per user, so files go one after the other. */
  private lastFile: Promise<void> = Promise.resolve();

  constructor(
    private readonly key: string,
    private readonly deliver: Deliver<T>,
  ) {
    this.items = interrupted(readStored<readonly Outgoing<T>[]>(key) ?? []);
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getSnapshot = () => this.items;

  readonly send = (item: T, file?: File) => {
    const delivery: Delivery = { key: newCommandId(), at: Date.now(), state: 'sending', failure: null, sentAs: null };
    const outgoing = { ...item, ...delivery };
    if (file) this.files.set(outgoing.key, file);
    this.put([...this.items, outgoing]);
    this.attempt(outgoing);
  };

  readonly retry = (key: string) => {
    const failed = this.items.find((one) => one.key === key && one.state === 'failed');
    if (failed === undefined) return;
    this.change(key, { state: 'sending', failure: null });
    this.attempt(failed);
  };

  readonly drop = (key: string) => {
    this.files.delete(key);
    this.put(this.items.filter((one) => one.key !== key));
  };

  hasUnanswered(): boolean {
    return this.items.some(({ isUnanswered }) => isUnanswered);
  }

  retryUnanswered(): void {
    for (const { key, isUnanswered } of this.items) if (isUnanswered) this.retry(key);
  }

  start(): void {
    this.running ??= new AbortController();
  }

  /** Aborts deliveries in flight. Nothing is sent or stored until the next start. */
  stop(): void {
    this.running?.abort();
    this.running = null;
  }

  private put(items: readonly Outgoing<T>[]) {
    this.items = items;
    if (this.running !== null) this.store();
    for (const listener of this.listeners) listener();
  }

  /** Files do not survive a reload, so items with a file are not stored. */
  private store() {
    const storable = this.items.filter(({ key }) => !this.files.has(key));
    writeStored(this.key, storable.length === 0 ? null : storable);
  }

  private change(key: string, changes: Partial<Delivery>) {
    this.put(this.items.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  }

  private attempt(outgoing: Outgoing<T>): void {
    const file = this.files.get(outgoing.key);
    if (file === undefined) void this.attemptNow(outgoing, file);
    else this.lastFile = this.lastFile.then(() => this.attemptNow(outgoing, file));
  }

  private async attemptNow(outgoing: Outgoing<T>, file: File | undefined): Promise<void> {
    const { key } = outgoing;
    const signal = this.running?.signal;
    if (signal === undefined) return this.change(key, { state: 'failed', failure: INTERRUPTED, isUnanswered: true });
    try {
      const sentAs = await this.deliver(outgoing, { file, signal });
      this.change(key, { state: 'sent', sentAs });
      setTimeout(() => this.drop(key), SENT_STAYS_MS);
    } catch (error) {
      const failure = signal.aborted ? INTERRUPTED : sentenceOf(error);
      this.change(key, { state: 'failed', failure, isUnanswered: signal.aborted || error instanceof OfflineError });
    }
  }
}
