/** Runs work of one stream in order, and that of several streams at once, up to a limit. */
export class StreamLanes {
  /** The last work of each stream that has some; never rejects. */
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** @param width how many streams may have work running at once; others wait in the order in which they became ready */
  constructor(private readonly width: number) {}

  run<Answer>(stream: string, work: () => Promise<Answer>): Promise<Answer> {
    const mine = (this.lanes.get(stream) ?? Promise.resolve()).then(() => this.inSlot(work));
    const lane: Promise<void> = mine
      .catch(() => undefined)
      .then(() => {
        if (this.lanes.get(stream) === lane) this.lanes.delete(stream);
      });
    this.lanes.set(stream, lane);
    return mine;
  }

  /** Resolves when all work has ended. */
  async idle(): Promise<void> {
    while (this.lanes.size > 0) await Promise.all(this.lanes.values());
  }

  private async inSlot<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.running >= this.width) await new Promise<void>((start) => this.waiting.push(start));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
