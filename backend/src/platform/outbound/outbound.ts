import { isIP } from 'node:net';
import { type Clock, systemClock } from '../clock.js';
import { hostLookup, type Resolve } from './host-lookup.js';
import { OutboundFailed, OutboundRefused } from './outbound-errors.js';
import { type Target, type TargetRules, targetOf } from './outbound-target.js';
import { isPublicAddress } from './public-address.js';
import { RestingHosts } from './resting-hosts.js';
import { type Address, type OutboundAnswer, type OutboundRequest, sendTo } from './send-to.js';

/** From the first lookup to the last byte, redirects included. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 1_000_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface OutboundSettings {
  /** OUTBOUND */
  readonly mode: 'public' | 'none';
  /** OUTBOUND_ALLOW: hosts as `host:port` that are exempt from all rules. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

/**
 * The only way to request an address that a user gave. A host is resolved once, every address it has must be public, and the connection goes to the checked
 * addresses, so a name cannot lead elsewhere in between. Answers have at most 1 MB and 5 s. A request ends after its lookup, not before, and a host that could
 * not be resolved rests for a minute.
 */
export class Outbound {
  readonly #mode: OutboundSettings['mode'];
  readonly #allowed: ReadonlySet<string>;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;
  readonly #resting: RestingHosts;

  constructor({ mode, allowed, resolve = hostLookup(), timeoutMs = TIMEOUT_MS, clock = systemClock }: OutboundSettings) {
    this.#mode = mode;
    this.#allowed = new Set(allowed.map((host) => host.toLowerCase()));
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
    this.#resting = new RestingHosts(clock);
  }

  /** Whether a URL has an allowed form; its address is checked when a request is sent. */
  hasAllowedForm(url: string, rules: TargetRules): boolean {
    try {
      targetOf(url, rules, this.#allowed);
      return true;
    } catch (error) {
      if (error instanceof OutboundRefused) return false;
      throw error;
    }
  }

  /** One request whose redirects are not followed. @throws OutboundRefused, OutboundFailed */
  async send(url: string, request: OutboundRequest, rules: TargetRules): Promise<OutboundAnswer> {
    return this.#withDeadline((signal) => this.#sendOnce(url, request, { rules, signal }));
  }

  /** A GET that follows at most `maxRedirects` redirects, each checked like the first URL. @throws OutboundRefused, OutboundFailed */
  async get(url: string, rules: TargetRules, maxRedirects = 3): Promise<OutboundAnswer & { readonly url: string }> {
    return this.#withDeadline(async (signal) => {
      let at = url;
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const answer = await this.#sendOnce(at, { method: 'GET' }, { rules, signal });
        const { location } = answer.headers;
        if (!REDIRECTS.has(answer.status) || typeof location !== 'string') return { ...answer, url: at };
        if (!URL.canParse(location, at)) throw new OutboundFailed('a redirect to an invalid URL');
        at = new URL(location, at).href;
      }
      throw new OutboundRefused('redirects', `more than ${maxRedirects} redirects`);
    });
  }

  async #withDeadline<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    if (this.#mode === 'none') throw new OutboundRefused('disabled', 'OUTBOUND is none');
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) throw new OutboundFailed(`no answer within ${this.#timeoutMs} ms`, { cause: error });
      throw error;
    }
  }

  async #sendOnce(url: string, request: OutboundRequest, { rules, signal }: { readonly rules: TargetRules; readonly signal: AbortSignal }) {
    const target = targetOf(url, rules, this.#allowed);
    return sendTo(target, await this.#addressesOf(target, signal), request, { signal, maxBytes: MAX_BYTES });
  }

  async #addressesOf(target: Target, signal: AbortSignal): Promise<readonly Address[]> {
    const { host, isExempt } = target;
    const addresses = isIP(host) === 0 ? await this.#lookUp(target, signal) : [{ address: host, family: isIP(host) }];
    if (!isExempt && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new OutboundRefused('address', 'the host has an address that is not public');
    return addresses;
  }

  async #lookUp({ host, isExempt }: Target, signal: AbortSignal): Promise<readonly Address[]> {
    if (this.#resting.has(host)) throw new OutboundFailed('the host name could not be resolved within the last minute');
    try {
      return await this.#resolve(host, { isExempt, signal });
    } catch (error) {
      this.#resting.add(host);
      throw new OutboundFailed('the host name cannot be resolved', { cause: error });
    }
  }
}
