import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundFailed, OutboundRefused } from './outbound-errors.js';
import { type Target, type TargetRules, targetOf } from './outbound-target.js';
import { isPublicAddress } from './public-address.js';
import { type Address, type OutboundAnswer, type OutboundRequest, sendTo } from './send-to.js';

/** From the first lookup to the last byte, redirects included. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 1_000_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Finds all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

const byTheSystem: Resolve = (host) => lookup(host, { all: true, verbatim: true });

export interface OutboundSettings {
  /** OUTBOUND */
  readonly mode: 'public' | 'none';
  /** OUTBOUND_ALLOW: hosts as `host:port` that are exempt from all rules. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

/**
 * The only way to request an address that a user gave. A host is resolved once, every address it has must be public, and the connection goes to the checked
 * addresses, so a name cannot lead elsewhere in between. Answers have at most 1 MB and 5 s.
 */
export class Outbound {
  readonly #mode: OutboundSettings['mode'];
  readonly #allowed: ReadonlySet<string>;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;

  constructor({ mode, allowed, resolve = byTheSystem, timeoutMs = TIMEOUT_MS }: OutboundSettings) {
    this.#mode = mode;
    this.#allowed = new Set(allowed.map((host) => host.toLowerCase()));
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
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

  async #addressesOf({ host, isExempt }: Target, signal: AbortSignal): Promise<readonly Address[]> {
    const addresses = isIP(host) === 0 ? await this.#lookUp(host, signal) : [{ address: host, family: isIP(host) }];
    if (!isExempt && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new OutboundRefused('address', 'the host has an address that is not public');
    return addresses;
  }

  /** A lookup cannot be cancelled, so the deadline only ends the wait for it. */
  async #lookUp(host: string, signal: AbortSignal): Promise<readonly Address[]> {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new OutboundFailed('the lookup took too long')), { once: true });
    });
    try {
      return await Promise.race([this.#resolve(host), aborted]);
    } catch (error) {
      throw new OutboundFailed('the host name cannot be resolved', { cause: error });
    }
  }
}
