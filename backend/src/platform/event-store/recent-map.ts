/**
 * What was set or asked for last: at least the `most` newest keys are known, at most twice as many. Older ones leave by the thousand: a Map whose
 * first key is deleted for each new one walks over all that it deleted before to find the next.
 */
export class RecentMap<Value> {
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#newer.set(key, value);
    if (this.#newer.size < this.most) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
