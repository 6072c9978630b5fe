interface Waiting {
  readonly end: (isWoken: boolean) => void;
}

/** Tells those who wait that something happened. Who notes the beat before looking misses nothing that happens while it looks. */
export class Pulse {
  readonly #waiting = new Set<Waiting>();
  #beat = 0;

  /** How often something has happened. */
  get beat(): number {
    return this.#beat;
  }

  wake(): void {
    this.#beat += 1;
    for (const { end } of this.#waiting) end(true);
  }

  /** Waits until something happens after that beat, the time is over, or the signal aborts. @returns whether something happened */
  after(beat: number, { signal, milliseconds }: { readonly signal: AbortSignal; readonly milliseconds: number }): Promise<boolean> {
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
      const timer = setTimeout(() => end(false), milliseconds);
      signal.addEventListener('abort', aborted);
      this.#waiting.add(waiting);
    });
  }
}
