import type { Worker } from 'node:worker_threads';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { SupervisedThread, type ThreadOptions } from '../sqlite/supervised-thread.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { type Appended, WrongExpectedRevision } from './event-store.js';
import type { AppendItem, AppendOutcome, FromWriter, ToWriter } from './writer-messages.js';

interface Waiting {
  readonly item: AppendItem;
  readonly due: number;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/** How a link starts its thread, and its callbacks. */
export interface WriterLinkOptions extends Pick<ThreadOptions, 'giveBack' | 'onHopeless'> {
  readonly deadlineMs: number;
  readonly onCommit: () => void;
  /** Called once when writing starts to fail, and once when it recovers. */
  readonly onTrouble: (message: string) => void;
  /** Verifies and opens the log in a new thread; `acknowledged` is the newest acknowledged position. */
  readonly start: (acknowledged: Position) => Promise<Worker>;
}

const GROUP_ITEMS = 1024;
const GROUP_BYTES = 8 * 1024 * 1024;
const MAX_QUEUED = 20_000;
/** Large groups are sent in pieces of this size, so the writer inserts the first while the rest is being prepared. */
const PIECE_ITEMS = 32;

/** The main thread's side of the writer: batches queued appends into groups and enforces their deadlines. */
export class WriterLink {
  readonly #options: WriterLinkOptions;
  #queue: Waiting[] = [];
  /** The group the writer is working on: `gathering` until its last piece was sent, then being committed. */
  #inFlight: Waiting[] = [];
  #inFlightBytes = 0;
  #state: 'idle' | 'gathering' | 'committing' = 'idle';
  #soon = false;
  #timer: NodeJS.Timeout | null = null;
  /** Why appends are refused for good. */
  #refused: string | null = null;
  #drained: (() => void) | null = null;
  #trouble = false;

  private constructor(
    private readonly thread: SupervisedThread<FromWriter>,
    private readonly acknowledged: { position: Position },
    options: WriterLinkOptions,
  ) {
    this.#options = options;
    thread.listen({
      onMessage: (message) => {
        if (message.kind === 'appended') this.#answer(message.outcomes);
      },
      onLost: (reason) => this.#lose(reason),
    });
  }

  /** @throws what starting the thread throws */
  static async open(options: WriterLinkOptions): Promise<WriterLink> {
    const { start, giveBack, onHopeless, deadlineMs } = options;
    const acknowledged = { position: 0 };
    const thread = await SupervisedThread.open<FromWriter>({ start: () => start(acknowledged.position), giveBack, onHopeless, times: { close: deadlineMs } });
    return new WriterLink(thread, acknowledged, options);
  }

  /** Queues one append; see {@link AppendItem} for the probe. */
  append(item: AppendItem): Promise<Appended> {
    const unavailable = this.#refused ?? this.thread.unavailable;
    if (unavailable !== null) return Promise.reject(new ServiceUnavailable(unavailable));
    if (this.#queue.length >= MAX_QUEUED) return Promise.reject(new ServiceUnavailable('too many appends are waiting'));
    const bytes = item.events.reduce((sum, event) => sum + event.json.length, 0);
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, bytes, due: performance.now() + this.#options.deadlineMs, resolve, reject });
      if (this.#queue.length >= PIECE_ITEMS && this.#state !== 'committing') this.#send({ last: false });
      this.#sendSoon();
      this.#watch();
    });
  }

  /** Stops writing permanently; every later append fails with this reason. */
  refuse(reason: string): void {
    if (this.#refused !== null) return;
    this.#refused = reason;
    this.#report(reason);
  }

  /** Drains the queue, checkpoints the write-ahead log and ends the thread. Later appends throw ServiceUnavailable. Call once. */
  async close(whenDrained: () => void): Promise<void> {
    const wasRefused = this.#refused !== null;
    this.#refused = 'the log is closed';
    if (this.#queue.length > 0 || this.#inFlight.length > 0) await this.#orDeadline((done) => (this.#drained = done));
    whenDrained();
    await (wasRefused ? this.thread.terminate() : this.thread.close({ kind: 'close' } satisfies ToWriter, ({ kind }) => kind === 'closed'));
  }

  #orDeadline(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.deadlineMs);
      start(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Sends at the end of this event loop turn, so that all appends made in it share one transaction. */
  #sendSoon(): void {
    if (this.#soon || this.#state === 'committing') return;
    this.#soon = true;
    setImmediate(() => {
      this.#soon = false;
      if (this.#state === 'gathering' || (this.#state === 'idle' && this.#queue.length > 0)) this.#send({ last: true });
    });
  }

  #send({ last }: { last: boolean }): void {
    let count = 0;
    const room = (): boolean => this.#inFlight.length + count < GROUP_ITEMS && this.#inFlightBytes < GROUP_BYTES;
    for (; count < this.#queue.length && room(); count++) this.#inFlightBytes += this.#queue[count]?.bytes ?? 0;
    const piece = this.#queue.splice(0, count);
    for (const waiting of piece) this.#inFlight.push(waiting);
    const complete = last || !room();
    this.#state = complete ? 'committing' : 'gathering';
    this.thread.post({ kind: 'append', items: piece.map((waiting) => waiting.item), last: complete } satisfies ToWriter);
  }

  #takeGroup(): Waiting[] {
    const group = this.#inFlight;
    this.#inFlight = [];
    this.#inFlightBytes = 0;
    this.#state = 'idle';
    return group;
  }

  #answer(outcomes: readonly AppendOutcome[]): void {
    for (const outcome of outcomes) if (outcome.kind === 'done') this.acknowledged.position = Math.max(this.acknowledged.position, outcome.position);
    this.#takeGroup().forEach((waiting, i) => settle(waiting, outcomes[i] ?? { kind: 'failed', message: 'the writer returned no outcome' }));
    const [first] = outcomes;
    if (outcomes.some((outcome) => outcome.kind === 'done')) {
      this.#options.onCommit();
      this.#report(null);
    } else if (first?.kind === 'full') this.#report('the disk is full');
    else if (first?.kind === 'failed') this.#report(first.message);
    this.#afterAnswers();
  }

  #report(trouble: string | null): void {
    if ((trouble !== null) === this.#trouble) return;
    this.#trouble = trouble !== null;
    this.#options.onTrouble(trouble === null ? 'the log is writable again' : `the log cannot be written: ${trouble}`);
  }

  #afterAnswers(): void {
    if (this.#queue.length > 0) return this.#sendSoon();
    if (this.#inFlight.length > 0) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#drained?.();
  }

  /** One timer is enough: all appends have the same timeout, so the oldest expires first. */
  #watch(): void {
    if (this.#timer) return;
    const first = this.#inFlight[0] ?? this.#queue[0];
    if (first) this.#timer = setTimeout(() => this.#expire(), Math.max(first.due - performance.now(), 10));
  }

  #expire(): void {
    this.#timer = null;
    const now = performance.now();
    const late = (waiting: Waiting): boolean => waiting.due <= now;
    const error = new ServiceUnavailable(`the log did not answer within ${this.#options.deadlineMs} ms`);
    for (const waiting of this.#inFlight) if (late(waiting)) waiting.reject(error);
    for (const waiting of this.#queue.filter(late)) waiting.reject(error);
    this.#queue = this.#queue.filter((waiting) => !late(waiting));
    const next = [...this.#inFlight, ...this.#queue].find((waiting) => !late(waiting));
    if (next) this.#timer = setTimeout(() => this.#expire(), Math.max(next.due - now, 10));
  }

  /** The outcome of the lost thread's appends is unknown. Its replacement continues from the end of the log. */
  #lose(reason: string): void {
    const lost = [...this.#takeGroup(), ...this.#queue];
    this.#queue = [];
    for (const waiting of lost) waiting.reject(new ServiceUnavailable(reason));
    if (this.#refused === null) this.#report(reason);
    this.#afterAnswers();
  }
}

function settle({ item, resolve, reject }: Waiting, outcome: AppendOutcome): void {
  switch (outcome.kind) {
    case 'done':
      return resolve({ revision: outcome.revision, position: outcome.position });
    case 'conflict':
      return reject(new WrongExpectedRevision(item.stream, item.expected, outcome.actual));
    case 'full':
      return reject(new DiskFull('the disk of the log is full'));
    case 'failed':
      return reject(new ServiceUnavailable(`the log could not be written: ${outcome.message}`));
  }
}
