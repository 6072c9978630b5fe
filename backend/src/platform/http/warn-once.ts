/** Enough for the proxies and host names of a misconfigured server, and few enough that clients cannot flood the log. */
const MAX_KEYS = 20;

/** Limits warnings about what clients send: one for each key, up to a fixed number of keys. */
export class WarnOnce {
  private readonly warned = new Set<string>();

  /** True the first time for each key. */
  shouldWarn(key: string): boolean {
    if (this.warned.size >= MAX_KEYS || this.warned.has(key)) return false;
    this.warned.add(key);
    return true;
  }
}
