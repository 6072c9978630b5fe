import type { Worker } from 'node:worker_threads';
import { ServiceUnavailable } from '../store-errors.js';
import { unpackError } from './sqlite-errors.js';
import type { Operations, ToWriter, WriteCall, WriterMessage, WriteOutcome } from './write-calls.js';
import { OWN_THREADS, type WritingThreads } from './writing-threads.js';

/** The maximum number of calls in one transaction. */
const GROUP = 256;

/** The worker, the file and the source of threads (default: a new thread). */
export interface WriterPlace {
  readonly worker: URL;
  readonly file: string;
  readonly threads?: WritingThreads | undefined;
}

interface Waiting extends WriteCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The main thread's side of a writer thread. Calls run in order. Calls queued while one group is being written form the next
 * group, which is one transaction with one flush to disk. A call resolves after the commit.
 */
export class SqliteWriter<Ops extends Operations<Ops>> {
  readonly #worker: Worker;
  readonly #closed: Promise<'closed' | 'lost'>;
  #queue: Waiting[] = [];
  #inFlight: Waiting[] = [];
  #closing = false;
  #told = false;
  #lost: Error | null = null;

  private constructor(
    worker: Worker,
    private readonly threads: WritingThreads,
  ) {
    this.#worker = worker;
    worker.on('error', (error) => this.#lose(new ServiceUnavailable(`the writer thread failed: ${error.message}`)));
    this.#closed = new Promise((resolve) => {
      worker.on('message', (message: WriterMessage) => (message === 'closed' ? resolve('closed') : this.#hear(message)));
      worker.once('exit', () => {
        this.#lose(new ServiceUnavailable('the store is closed'));
        resolve('lost');
      });
    });
  }

  /** Opens a file in a thread; `dropped` is the reason if an unusable file was deleted first. @throws the error of opening */
  static async open<Ops extends Operations<Ops>>({
    worker,
    file,
    threads = OWN_THREADS,
  }: WriterPlace): Promise<{ readonly writer: SqliteWriter<Ops>; readonly dropped: string | null }> {
    const thread = threads.take(worker);
    const first = await new Promise<WriterMessage>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.postMessage({ open: file } satisfies ToWriter);
    });
    if (first === 'closed' || !('opened' in first)) throw new Error('unexpected message from the writer thread');
    if (first.opened) return { writer: new SqliteWriter<Ops>(thread, threads), dropped: first.dropped };
    await thread.terminate();
    throw unpackError(first.error);
  }

  /** @throws ServiceUnavailable after {@link close}, or when the thread was lost */
  call<Kind extends keyof Ops & string>(kind: Kind, request: Parameters<Ops[Kind]>[0]): Promise<ReturnType<Ops[Kind]>> {
    if (this.#lost || this.#closing) return Promise.reject(this.#lost ?? new ServiceUnavailable('the store is closed'));
    const answer = new Promise<unknown>((resolve, reject) => this.#queue.push({ kind, request, resolve, reject }));
    // After all pending promise callbacks, so that calls caused by the same event share a transaction.
    if (this.#inFlight.length === 0 && this.#queue.length === 1) process.nextTick(() => this.#pump());
    return answer as Promise<ReturnType<Ops[Kind]>>;
  }

  /** Resolves when every call is answered and the file is closed. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#pump();
    if ((await this.#closed) === 'lost') return;
    this.#lose(new ServiceUnavailable('the store is closed'));
    await this.threads.giveBack(this.#worker);
  }

  #pump(): void {
    if (this.#lost || this.#inFlight.length > 0) return;
    if (this.#queue.length === 0) {
      if (this.#closing && !this.#told) this.#worker.postMessage('close' satisfies ToWriter);
      this.#told = this.#closing;
      return;
    }
    this.#inFlight = this.#queue.splice(0, GROUP);
    this.#worker.postMessage(this.#inFlight.map(({ kind, request }): WriteCall => ({ kind, request })));
  }

  #hear(message: Exclude<WriterMessage, 'closed'>): void {
    if ('opened' in message) return;
    const group = this.#inFlight;
    this.#inFlight = [];
    message.outcomes.forEach((outcome, index) => settle(group[index], outcome));
    this.#pump();
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    const stranded = [...this.#inFlight, ...this.#queue];
    this.#inFlight = [];
    this.#queue = [];
    for (const { reject } of stranded) reject(this.#lost);
  }
}

function settle(waiting: Waiting | undefined, outcome: WriteOutcome): void {
  if ('error' in outcome) waiting?.reject(unpackError(outcome.error));
  else waiting?.resolve(outcome.answer);
}
