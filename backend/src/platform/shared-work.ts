/** Calls for the same thing that overlap share one run: a command that is sent many times at once does its work once. */
export class SharedWork {
  private readonly running = new Map<string, Promise<unknown>>();

  /** @param key names the work and everything that it depends on */
  run<Made>(key: string, work: () => Promise<Made>): Promise<Made> {
    const running = this.running.get(key) as Promise<Made> | undefined;
    if (running !== undefined) return running;
    const started = work().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
