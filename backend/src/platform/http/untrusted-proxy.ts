import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import type { TrustProxy } from './client-address.js';
import { WarnOnce } from './warn-once.js';

/**
 * Warns of each address outside TRUST_PROXY that sends `X-Forwarded-For`: most likely a proxy, behind which all clients share the limits of its address.
 * With LOG_ADDRESSES=false it warns once, without the address.
 */
export function warnOfUntrustedProxies(server: FastifyInstance, trust: TrustProxy | false, { LOG_ADDRESSES }: Pick<Config, 'LOG_ADDRESSES'>): void {
  const warnings = new WarnOnce();
  const isNamed = LOG_ADDRESSES === 'true';
  server.addHook('onRequest', (request, _reply, done) => {
    const address = request.raw.socket.remoteAddress ?? '';
    const isTrusted = trust !== false && trust(address, 0);
    if (request.headers['x-forwarded-for'] !== undefined && !isTrusted && warnings.shouldWarn(isNamed ? address : '')) {
      request.log.warn(
        isNamed ? { address } : {},
        'X-Forwarded-For ignored: it came from an address outside TRUST_PROXY. If that is your proxy, add it, or all clients count as one address',
      );
    }
    done();
  });
}
