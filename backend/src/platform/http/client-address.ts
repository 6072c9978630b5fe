import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config/config.js';

/** Whether an address, so many hops away, is a proxy whose `X-Forwarded-For` counts. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** The proxies of TRUST_PROXY, as Fastify takes them too. False: none. */
export function trustedProxies({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): TrustProxy | false {
  if (TRUST_PROXY === null) return false;
  const count = Number(TRUST_PROXY);
  return Number.isNaN(count) ? proxyAddr.compile(TRUST_PROXY.split(',')) : (_address, hop) => hop < count;
}

/** The client's address: the connection's own, or the one that trusted proxies saw. Empty if the client has disconnected. */
export function addressOf(request: IncomingMessage, trust: TrustProxy | false): string {
  return (trust === false ? request.socket.remoteAddress : proxyAddr(request, trust)) ?? '';
}
