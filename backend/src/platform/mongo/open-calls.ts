import { ServiceUnavailable } from '../store-errors.js';

/** Tracks a store's calls in progress: closing waits for them and rejects new ones. */
export class OpenCalls {
  readonly #open = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @throws ServiceUnavailable after {@link close}, or what `work` throws */
  run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new ServiceUnavailable('the store is closed'));
    const call = work();
    this.#open.add(call);
    const forget = (): void => void this.#open.delete(call);
    call.then(forget, forget);
    return call;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#open);
  }
}
