/**
 * What was set or asked for last: at least the newest keys that weigh `most` together are known, at most twice as much. Older ones leave together: a Map
 * whose first key is deleted for each new one walks over all that it deleted before to find the next.
 */
export class RecentMap<Value> {
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();
  #weight = 0;

  /** @param weightOf how much a value counts; without it each counts one, so that `most` is a number of keys */
  constructor(
    private readonly most: number,
    private readonly weightOf: (value: Value) => number = () => 1,
  ) {}

  get(key: string): Value | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#takeFromNewer(key);
    this.#newer.set(key, value);
    this.#weight += this.weightOf(value);
    if (this.#weight < this.most) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#weight = 0;
  }

  delete(key: string): void {
    this.#takeFromNewer(key);
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  /** What is known, each key once with its newest value; looking does not count as asking. */
  *entries(): Generator<[string, Value]> {
    yield* this.#newer;
    for (const entry of this.#older) if (!this.#newer.has(entry[0])) yield entry;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#weight = 0;
  }

  #takeFromNewer(key: string): void {
    const known = this.#newer.get(key);
    if (known !== undefined) this.#weight -= this.weightOf(known);
  }
}
