import { ServiceUnavailable } from '../store-errors.js';
import { unpackError } from './sqlite-errors.js';
import { nextMessage, SupervisedThread, type ThreadOptions } from './supervised-thread.js';
import type { Operations, ToWriter, WriteCall, WriterMessage, WriteOutcome } from './write-calls.js';
import { OWN_THREADS, type WritingThreads } from './writing-threads.js';

/** The maximum number of calls in one transaction. */
const GROUP = 256;

/** The worker, the file, the source of threads (default: a new thread), and what follows from the loss of one. */
export interface WriterPlace extends Pick<ThreadOptions, 'onHopeless'> {
  readonly worker: URL;
  readonly file: string;
  readonly threads?: WritingThreads | undefined;
  /** Called when the thread is lost. */
  readonly onTrouble?: ((message: string) => void) | undefined;
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
  #queue: Waiting[] = [];
  #inFlight: Waiting[] = [];
  #closing: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  private constructor(
    private readonly thread: SupervisedThread<WriterMessage>,
    onTrouble: (message: string) => void,
  ) {
    thread.listen({
      onMessage: (message) => this.#hear(message),
      onLost: (reason) => {
        if (this.#closing === null) onTrouble(`${reason}: replacing it`);
        this.#fail(new ServiceUnavailable(reason));
      },
    });
  }

  /** Opens a file in a thread; `dropped` is the reason if an unusable file was deleted first. @throws the error of opening */
  static async open<Ops extends Operations<Ops>>({
    worker,
    file,
    threads = OWN_THREADS,
    onTrouble = () => undefined,
    onHopeless,
  }: WriterPlace): Promise<{ readonly writer: SqliteWriter<Ops>; readonly dropped: string | null }> {
    let dropped: string | null = null;
    const start: ThreadOptions['start'] = async (isReplacement) => {
      const thread = threads.take(worker);
      thread.postMessage({ open: file, isReplacement } satisfies ToWriter);
      const first = await nextMessage<WriterMessage>(thread);
      if (first === 'closed' || !('opened' in first)) throw new Error('unexpected message from the writer thread');
      if (!first.opened) {
        await thread.terminate();
        throw unpackError(first.error);
      }
      dropped = first.dropped;
      return thread;
    };
    const thread = await SupervisedThread.open<WriterMessage>({ start, giveBack: (each) => threads.giveBack(each), onHopeless });
    return { writer: new SqliteWriter<Ops>(thread, onTrouble), dropped };
  }

  /** @throws ServiceUnavailable after {@link close}, when the thread was lost, and while it is being replaced. What it was working on may be stored. */
  call<Kind extends keyof Ops & string>(kind: Kind, request: Parameters<Ops[Kind]>[0]): Promise<ReturnType<Ops[Kind]>> {
    const unavailable = this.#closing === null ? this.thread.unavailable : 'the store is closed';
    if (unavailable !== null) return Promise.reject(new ServiceUnavailable(unavailable));
    const answer = new Promise<unknown>((resolve, reject) => this.#queue.push({ kind, request, resolve, reject }));
    // After all pending promise callbacks, so that calls caused by the same event share a transaction.
    if (this.#inFlight.length === 0 && this.#queue.length === 1) process.nextTick(() => this.#pump());
    return answer as Promise<ReturnType<Ops[Kind]>>;
  }

  /** Resolves when every call is answered and the file is closed. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.#queue.length > 0 || this.#inFlight.length > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await this.thread.close('close' satisfies ToWriter, (message) => message === 'closed');
  }

  #pump(): void {
    if (this.#inFlight.length > 0) return;
    if (this.#queue.length === 0) return this.#drained?.();
    this.#inFlight = this.#queue.splice(0, GROUP);
    this.thread.post(this.#inFlight.map(({ kind, request }): WriteCall => ({ kind, request })));
  }

  #hear(message: WriterMessage): void {
    if (message === 'closed' || 'opened' in message) return;
    const group = this.#inFlight;
    this.#inFlight = [];
    message.outcomes.forEach((outcome, index) => settle(group[index], outcome));
    this.#pump();
  }

  #fail(error: Error): void {
    const stranded = [...this.#inFlight, ...this.#queue];
    this.#inFlight = [];
    this.#queue = [];
    for (const { reject } of stranded) reject(error);
    this.#drained?.();
  }
}

function settle(waiting: Waiting | undefined, outcome: WriteOutcome): void {
  if ('error' in outcome) waiting?.reject(unpackError(outcome.error));
  else waiting?.resolve(outcome.answer);
}
