/** A sleep that others can end early. An interruption between {@link arm} and {@link sleep} is not lost: then the sleep ends at once. */
export class InterruptibleSleep {
  private isInterrupted = false;
  private end: () => void = () => undefined;

  /** Forgets earlier interruptions. Called before looking for work: work that arrives after this ends the sleep. */
  arm(): void {
    this.isInterrupted = false;
  }

  /** Ends the sleep under way, or the next one. */
  interrupt(): void {
    this.isInterrupted = true;
    this.end();
  }

  /** Resolves after some milliseconds, or sooner when it is interrupted. */
  async sleep(milliseconds: number): Promise<void> {
    if (this.isInterrupted) return;
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, milliseconds);
      this.end = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }
}
