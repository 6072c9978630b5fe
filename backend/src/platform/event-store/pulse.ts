interface Waiting {
  readonly end: (isWoken: boolean) => void;
}

/** A condition variable with a counter: a caller that reads `beat` before checking its condition misses no wake-up during the check. */
export class Pulse {
  readonly #waiting = new Set<Waiting>();
  #beat = 0;

  /** Number of wake-ups so far. */
  get beat(): number {
    return this.#beat;
  }

  wake(): void {
    this.#beat += 1;
    for (const { end } of this.#waiting) end(true);
  }

  /** Waits for a wake-up after that beat, the timeout or an abort. @returns whether there was a wake-up */
  after(beat: number, { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<boolean> {
    if (this.#beat !== beat) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isWoken: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', aborted);
        this.#waiting.delete(waiting);
        resolve(isWoken);
      };
      const aborted = (): void => end(false);
      const waiting: Waiting = { end };
      const timer = setTimeout(() => end(false), timeoutMs);
      signal.addEventListener('abort', aborted);
      this.#waiting.add(waiting);
    });
  }
}
