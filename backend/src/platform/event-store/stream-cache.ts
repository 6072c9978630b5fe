/** Where a stream is: its row id (null when it has none yet), its last revision (-1 when it is empty) and its last event's id. */
export interface StreamState {
  sid: number | null;
  revision: number;
  lastId: string | null;
}

const CAPACITY = 20_000;

/** The streams written lately, the least recently used one leaves first. */
export class StreamCache {
  readonly #states = new Map<string, StreamState>();

  get(stream: string): StreamState | undefined {
    const state = this.#states.get(stream);
    if (state === undefined) return undefined;
    this.#states.delete(stream);
    this.#states.set(stream, state);
    return state;
  }

  set(stream: string, state: StreamState): void {
    this.#states.set(stream, state);
    const oldest = this.#states.keys().next();
    if (this.#states.size > CAPACITY && !oldest.done) this.#states.delete(oldest.value);
  }

  clear(): void {
    this.#states.clear();
  }
}
