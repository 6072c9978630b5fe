/** Who has called within some time; everybody else is a newcomer. */
export class Newcomers {
  /** When each person last called, oldest first. */
  private readonly calls = new Map<string, number>();

  /** @param afterMs how long after their last call a person is a newcomer again @param now in milliseconds, never set back */
  constructor(
    private readonly afterMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  has(person: string): boolean {
    const last = this.calls.get(person);
    return last === undefined || this.now() - last >= this.afterMs;
  }

  noteCall(person: string): void {
    this.calls.delete(person);
    this.calls.set(person, this.now());
    for (const [each] of this.calls) {
      if (!this.has(each)) return;
      this.calls.delete(each);
    }
  }
}
