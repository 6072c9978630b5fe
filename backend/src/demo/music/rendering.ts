import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { compiledWorker } from '../../platform/sqlite/worker-file.js';
import type { RenderOrder, Rendered } from './render-worker.js';

const THREADS = 2;

const keyOf = ({ song, mix }: Pick<RenderOrder, 'song' | 'mix'>): string => `${song} ${mix}`;

interface Waiting {
  readonly order: RenderOrder;
  readonly resolve: (file: Rendered) => void;
  readonly reject: (error: unknown) => void;
}

/** Renders versions of songs in the given order, two at a time, in worker threads, so that the event loop stays free. */
export class Rendering {
  readonly #workers: readonly Worker[];
  readonly #files = new Map<string, Promise<Rendered>>();
  readonly #closing = new AbortController();

  constructor(orders: readonly RenderOrder[]) {
    const waiting: Waiting[] = [];
    for (const order of orders) {
      const file = new Promise<Rendered>((resolve, reject) => waiting.push({ order, resolve, reject }));
      // The caller of `take` gets the failure; until then it must not count as an unhandled rejection.
      file.catch(() => undefined);
      this.#files.set(keyOf(order), file);
    }
    const url = compiledWorker(import.meta.url, 'render-worker');
    this.#workers = Array.from({ length: Math.min(THREADS, orders.length) }, () => new Worker(url));
    for (const worker of this.#workers) void work(worker, waiting, this.#closing.signal);
  }

  /** Resolves when a version is rendered. @throws rendering errors */
  async rendered(order: Pick<RenderOrder, 'song' | 'mix'>): Promise<void> {
    await this.file(order);
  }

  /** The WAV file of one version, once it is rendered. May be taken only once, because it is large. @throws rendering errors */
  async take(order: Pick<RenderOrder, 'song' | 'mix'>): Promise<Rendered> {
    const file = this.file(order);
    this.#files.delete(keyOf(order));
    return file;
  }

  /** Ends the rendering: versions that are not finished fail. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  private file(order: Pick<RenderOrder, 'song' | 'mix'>): Promise<Rendered> {
    const file = this.#files.get(keyOf(order));
    if (file === undefined) throw new Error(`not ordered: ${keyOf(order)}`);
    return file;
  }
}

async function work(worker: Worker, waiting: Waiting[], closing: AbortSignal): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    try {
      worker.postMessage(next.order);
      const [file] = (await once(worker, 'message', { signal: closing })) as [Rendered];
      next.resolve(file);
    } catch (error) {
      next.reject(error);
    }
  }
  await worker.terminate();
}
