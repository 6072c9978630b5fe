import { Worker } from 'node:worker_threads';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DiskFull, StoreAway } from '../store-errors.js';
import { type Appended, WrongExpectedRevision } from './event-store.js';
import { storeErrorOf } from './sqlite-errors.js';
import type { AppendItem, AppendOutcome, FromWriter, ToWriter, WriterSetup } from './writer-messages.js';

interface Waiting {
  readonly item: AppendItem;
  readonly due: number;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

const GROUP_ITEMS = 1024;
const GROUP_BYTES = 8 * 1024 * 1024;
const MOST_WAITING = 20_000;
/** A crowd is handed over in pieces of this many, so that the writer inserts the first while the others are still being prepared. */
const PIECE_ITEMS = 32;

/** The main thread's end of the writer: gathers what waits into groups, and keeps the deadline of each append. */
export class WriterLink {
  readonly #worker: Worker;
  readonly #deadlineMs: number;
  readonly #onCommit: () => void;
  #queue: Waiting[] = [];
  /** The one group that the writer has; it is `gathering` until its last piece was handed over, then it is being committed. */
  #inFlight: Waiting[] = [];
  #inFlightBytes = 0;
  #state: 'idle' | 'gathering' | 'committing' = 'idle';
  #soon = false;
  #timer: NodeJS.Timeout | null = null;
  #away: string | null = null;
  #drained: (() => void) | null = null;

  private constructor(worker: Worker, options: { deadlineMs: number; onCommit: () => void }) {
    this.#worker = worker;
    this.#deadlineMs = options.deadlineMs;
    this.#onCommit = options.onCommit;
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'appended') this.#answer(message.outcomes);
    });
    worker.on('error', (error) => this.#lose(`the log's writer failed: ${error.message}`));
    worker.on('exit', () => this.#lose("the log's writer has ended"));
  }

  /** @throws the port's error for a file that cannot be used, or StoreAway when the writer is not ready within the deadline */
  static async start(setup: WriterSetup, options: { deadlineMs: number; onCommit: () => void }): Promise<WriterLink> {
    const worker = new Worker(workerFile(), { workerData: setup });
    try {
      await ready(worker, setup.file);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return new WriterLink(worker, options);
  }

  /** Queues one append; see {@link AppendItem} for the probe. */
  append(item: AppendItem): Promise<Appended> {
    if (this.#away !== null) return Promise.reject(new StoreAway(this.#away));
    if (this.#queue.length >= MOST_WAITING) return Promise.reject(new StoreAway('too many appends are waiting'));
    const bytes = item.events.reduce((sum, event) => sum + event.json.length, 0);
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, bytes, due: Date.now() + this.#deadlineMs, resolve, reject });
      if (this.#queue.length >= PIECE_ITEMS && this.#state !== 'committing') this.#send({ last: false });
      this.#sendSoon();
      this.#watch();
    });
  }

  /** Drains, writes everything into the file itself and ends the thread; appends from now on throw StoreAway. Called once. */
  async close(whenDrained: () => void): Promise<void> {
    const wasAway = this.#away !== null;
    this.#away ??= 'the log is closed';
    if (this.#queue.length > 0 || this.#inFlight.length > 0) await this.#orDeadline((done) => (this.#drained = done));
    whenDrained();
    if (!wasAway) {
      await this.#orDeadline((done) => {
        this.#worker.once('exit', done);
        this.#worker.postMessage({ kind: 'close' } satisfies ToWriter);
      });
    }
    await this.#worker.terminate();
  }

  #orDeadline(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#deadlineMs);
      start(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** The group is complete at the end of this turn, so that everything appended in it becomes one transaction. */
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
    this.#worker.postMessage({ kind: 'append', items: piece.map((waiting) => waiting.item), last: complete } satisfies ToWriter);
  }

  #takeGroup(): Waiting[] {
    const group = this.#inFlight;
    this.#inFlight = [];
    this.#inFlightBytes = 0;
    this.#state = 'idle';
    return group;
  }

  #answer(outcomes: readonly AppendOutcome[]): void {
    this.#takeGroup().forEach((waiting, i) => settle(waiting, outcomes[i] ?? { kind: 'failed', message: 'the writer gave no answer' }));
    if (outcomes.some((outcome) => outcome.kind === 'done')) this.#onCommit();
    this.#afterAnswers();
  }

  #afterAnswers(): void {
    if (this.#queue.length > 0) return this.#sendSoon();
    if (this.#inFlight.length > 0) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#drained?.();
  }

  /** One timer for all: they have the same deadline, so the first in line is the first to miss it. */
  #watch(): void {
    if (this.#timer) return;
    const first = this.#inFlight[0] ?? this.#queue[0];
    if (first) this.#timer = setTimeout(() => this.#expire(), Math.max(first.due - Date.now(), 10));
  }

  #expire(): void {
    this.#timer = null;
    const now = Date.now();
    const late = (waiting: Waiting): boolean => waiting.due <= now;
    const error = new StoreAway(`the log did not answer within ${this.#deadlineMs} ms`);
    for (const waiting of this.#inFlight) if (late(waiting)) waiting.reject(error);
    for (const waiting of this.#queue.filter(late)) waiting.reject(error);
    this.#queue = this.#queue.filter((waiting) => !late(waiting));
    const next = [...this.#inFlight, ...this.#queue].find((waiting) => !late(waiting));
    if (next) this.#timer = setTimeout(() => this.#expire(), Math.max(next.due - now, 10));
  }

  #lose(reason: string): void {
    this.#away ??= reason;
    const lost = [...this.#takeGroup(), ...this.#queue];
    this.#queue = [];
    for (const waiting of lost) waiting.reject(new StoreAway(reason));
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
      return reject(new DiskFull('no room on the disk of the log'));
    case 'failed':
      return reject(new StoreAway(`the log could not write: ${outcome.message}`));
  }
}

function ready(worker: Worker, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', (message: FromWriter) => {
      if (message.kind === 'ready') return resolve();
      const cause = message.kind === 'unusable' ? { message: message.message, errcode: message.errcode } : { message: 'no answer' };
      reject(storeErrorOf(cause, file));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new StoreAway(`the log's writer ended at its start with code ${code}`)));
  });
}

/** A thread runs compiled code only: started from the sources (as the specs do), the built file is used. */
function workerFile(): string {
  const fromSource = import.meta.url.endsWith('.ts');
  const url = new URL(fromSource ? '../../../dist/platform/event-store/embedded-writer.js' : './embedded-writer.js', import.meta.url);
  const file = fileURLToPath(url);
  if (!existsSync(file)) throw new Error(`${file} is missing: build the backend first (npx tsc -b contracts backend)`);
  return file;
}
