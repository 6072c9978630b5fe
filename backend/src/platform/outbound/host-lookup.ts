import { lookup, Resolver } from 'node:dns/promises';
import type { Address } from './send-to.js';

/** Timeout of one DNS query to one server; the second try may take twice as long. */
const QUERY_MS = 1_000;
const TRIES = 2;
/** Timeout of a whole lookup, so that most of a request's time is left for its answer. */
const LOOKUP_MS = 3_000;
/** Names of this machine (RFC 6761), which name servers need not know. */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const LOOPBACK: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export interface Lookup {
  /** Whether the operator named the host in OUTBOUND_ALLOW. */
  readonly isExempt: boolean;
  /** Ends the lookup. */
  readonly signal: AbortSignal;
}

/** Finds all addresses of a host name. Settles once nothing of the lookup is left: soon after its signal aborts. */
export type Resolve = (host: string, lookup: Lookup) => Promise<readonly Address[]>;

/**
 * Resolves names that users gave by DNS queries of our own: the system's lookup cannot be cancelled, and each holds one of the few threads that the whole
 * process has for lookups, as long as a silent name server likes. Names of the operator are left to the system, with its hosts file and search domains.
 * @param servers as `address:port`; those of the system when missing
 */
export const hostLookup =
  (servers?: readonly string[]): Resolve =>
  async (host, { isExempt, signal }) => {
    if (isExempt) return bySystem(host, signal);
    if (LOCALHOST.test(host)) return LOOPBACK;
    return byQueries(host, signal, servers);
  };

async function byQueries(host: string, signal: AbortSignal, servers?: readonly string[]): Promise<readonly Address[]> {
  // A resolver of its own, because cancelling ends all queries of a resolver.
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_MS);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [...addressesIn(four, 4), ...addressesIn(six, 6)];
    if (addresses.length === 0) throw new Error('no address', { cause: four.status === 'rejected' ? four.reason : undefined });
    return addresses;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** A host may have addresses of one family only, and a server may know nothing of the other. */
const addressesIn = (answer: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly Address[] =>
  answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));

/** The signal only ends the wait. */
async function bySystem(host: string, signal: AbortSignal): Promise<readonly Address[]> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the lookup took too long')), { once: true });
  });
  return Promise.race([lookup(host, { all: true, verbatim: true }), aborted]);
}
