import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { messageOf } from './sqlite-errors.js';

/** Pause between attempts to replace a lost thread, how long they may fail, and how long closing a file may take, in milliseconds. */
const TIMES = { retry: 250, replace: 30_000, close: 10_000 };

/** How a store's writer thread is started, and what happens when it is lost. */
export interface ThreadOptions {
  /** Starts a thread that has its file open. `isReplacement`: this process has the file open already. @throws the error of opening */
  readonly start: (isReplacement: boolean) => Promise<Worker>;
  /** Takes back a thread that has closed its file. */
  readonly giveBack: (thread: Worker) => Promise<void>;
  /** Called when no thread can be started any more. By default it ends the process: one that can never write again must not look alive. */
  readonly onHopeless?: ((error: Error) => void) | undefined;
  readonly times?: Partial<typeof TIMES>;
}

/** What a thread's user hears from it. `onLost`: the thread is gone, and with it the outcome of what it was working on. */
export interface ThreadListener<Message> {
  readonly onMessage: (message: Message) => void;
  readonly onLost: (reason: string) => void;
}

/** Throws where nothing catches it, so the program logs it and exits with 1. */
const endProcess = (error: Error): void => {
  setImmediate(() => {
    throw error;
  });
};

/**
 * The writer thread of an embedded store. A lost thread is replaced; what it had not committed is gone, as after a crash. If its file turns out to be damaged,
 * or if no thread can open it for 30 s, the process ends, so that its supervisor starts it again.
 */
export class SupervisedThread<Message> {
  #thread: Worker;
  #listener: ThreadListener<Message> | null = null;
  #unavailable: string | null = null;
  #replacing: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();
  readonly #times: typeof TIMES;

  private constructor(
    thread: Worker,
    private readonly options: ThreadOptions,
  ) {
    this.#thread = thread;
    this.#times = { ...TIMES, ...options.times };
    this.#supervise(thread);
  }

  /** @throws what starting the first thread throws */
  static async open<Message>(options: ThreadOptions): Promise<SupervisedThread<Message>> {
    return new SupervisedThread<Message>(await options.start(false), options);
  }

  /** Why no thread takes requests at the moment; null if one does. */
  get unavailable(): string | null {
    return this.#unavailable;
  }

  listen(listener: ThreadListener<Message>): void {
    this.#listener = listener;
  }

  post(request: unknown): void {
    this.#thread.postMessage(request);
  }

  /** Sends the request to close the file, and gives the thread back when it has; a thread that does not answer in time is terminated. */
  async close(request: unknown, isClosed: (message: Message) => boolean): Promise<void> {
    this.#closing.abort();
    await this.#replacing;
    if (this.#unavailable !== null) return;
    const thread = this.#thread;
    const closed = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#times.close);
      const done = (answer: boolean): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      thread.on('message', (message: Message) => isClosed(message) && done(true)).once('exit', () => done(false));
    });
    thread.postMessage(request);
    await ((await closed) ? this.options.giveBack(thread) : thread.terminate());
  }

  /** Ends the thread without closing the file. */
  async terminate(): Promise<void> {
    this.#closing.abort();
    await this.#replacing;
    await this.#thread.terminate();
  }

  #supervise(thread: Worker): void {
    let reason = 'the writer thread exited';
    thread.on('message', (message: Message) => this.#listener?.onMessage(message));
    thread.once('error', (error) => (reason = `the writer thread failed: ${messageOf(error)}`));
    // Not before its exit: until then it holds the locks of its file.
    thread.once('exit', () => this.#lose(reason));
  }

  #lose(reason: string): void {
    this.#unavailable = reason;
    if (!this.#closing.signal.aborted) this.#replacing = this.#replace();
    this.#listener?.onLost(reason);
  }

  async #replace(): Promise<void> {
    const { signal } = this.#closing;
    for (const until = performance.now() + this.#times.replace; !signal.aborted;) {
      try {
        this.#thread = await this.options.start(true);
        this.#unavailable = null;
        return this.#supervise(this.#thread);
      } catch (error) {
        this.#unavailable = messageOf(error);
        if (error instanceof StoreDamaged || performance.now() >= until) return this.#giveUp(error);
        await pause(this.#times.retry, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #giveUp(error: unknown): void {
    const { onHopeless = endProcess } = this.options;
    onHopeless(error instanceof Error ? error : new Error(messageOf(error)));
  }
}

/** A thread's next message. @throws the error that ended the thread; ServiceUnavailable when it exited without one */
export function nextMessage<Message>(thread: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      stopListening();
      reject(error);
    };
    const exited = (code: number): void => failed(new ServiceUnavailable(`the writer thread exited during startup with code ${code}`));
    const received = (message: Message): void => {
      stopListening();
      resolve(message);
    };
    const stopListening = (): void => void thread.off('message', received).off('error', failed).off('exit', exited);
    thread.on('message', received).on('error', failed).on('exit', exited);
  });
}
