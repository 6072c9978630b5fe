import type { Clock } from '../clock.js';

/** Shorter than the longest wait between two attempts of a message, so that a short failure of DNS does not cost it the last one. */
const REST_MS = 60_000;
/** Users can name any number of hosts. */
const MAX_HOSTS = 1_000;

/** Hosts whose lookup failed a short time ago: they are not looked up again. */
export class RestingHosts {
  /** Until when, oldest first. */
  private readonly hosts = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  has(host: string): boolean {
    const until = this.hosts.get(host) ?? 0;
    // Also not after the clock was set back.
    return this.clock() < until && until - this.clock() <= REST_MS;
  }

  add(host: string): void {
    this.hosts.delete(host);
    this.hosts.set(host, this.clock() + REST_MS);
    const [oldest] = this.hosts.keys();
    if (this.hosts.size > MAX_HOSTS && oldest !== undefined) this.hosts.delete(oldest);
  }
}
