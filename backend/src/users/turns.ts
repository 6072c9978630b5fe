/** Runs work one after the other for each key. */
export class Turns {
  private readonly queues = new Map<string, Promise<unknown>>();

  async run<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.queues.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.queues.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.queues.get(key) === mine) this.queues.delete(key);
    }
  }
}
