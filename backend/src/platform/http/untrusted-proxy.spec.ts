import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from '@jest/globals';
import type { Config } from '../config/config.js';
import { trustedProxies } from './client-address.js';
import { warnOfUntrustedProxies } from './untrusted-proxy.js';

const MESSAGE = 'X-Forwarded-For ignored: it came from an address outside TRUST_PROXY. If that is your proxy, add it, or all clients count as one address';
interface Line {
  readonly level: number;
  readonly address?: string;
  readonly msg: string;
}

let server: FastifyInstance;
afterEach(() => server.close());

/** The warnings after a request from each of these addresses, with the header. */
async function warnings(addresses: readonly string[], config: Partial<Pick<Config, 'TRUST_PROXY' | 'LOG_ADDRESSES'>> = {}): Promise<readonly Line[]> {
  const { TRUST_PROXY = null, LOG_ADDRESSES = 'true' } = config;
  const lines: Line[] = [];
  server = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(JSON.parse(line) as Line) } } });
  warnOfUntrustedProxies(server, trustedProxies({ TRUST_PROXY }), { LOG_ADDRESSES });
  server.get('/', () => 'ok');
  for (const remoteAddress of addresses) await server.inject({ url: '/', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.9' } });
  await server.inject({ url: '/', remoteAddress: '198.51.100.1' });
  return lines.map(({ level, address, msg }) => ({ level, ...(address === undefined ? {} : { address }), msg }));
}

test('an address that sends X-Forwarded-For without being trusted is named once', async () => {
  expect(await warnings(['10.0.0.1', '10.0.0.2', '10.0.0.1'])).toEqual([
    { level: 40, address: '10.0.0.1', msg: MESSAGE },
    { level: 40, address: '10.0.0.2', msg: MESSAGE },
  ]);
});

test('a trusted address is not named, while others are', async () => {
  expect(await warnings(['10.0.0.1', '10.0.0.2'], { TRUST_PROXY: '10.0.0.1' })).toEqual([{ level: 40, address: '10.0.0.2', msg: MESSAGE }]);
  await server.close();
  expect(await warnings(['10.0.0.1'], { TRUST_PROXY: '1' })).toEqual([]);
});

test('at most twenty addresses are named, and none with LOG_ADDRESSES=false', async () => {
  const many = Array.from({ length: 30 }, (_, at) => `10.0.0.${at + 1}`);
  expect((await warnings(many)).map(({ address }) => address)).toEqual(many.slice(0, 20));
  await server.close();
  expect(await warnings(many, { LOG_ADDRESSES: 'false' })).toEqual([{ level: 40, msg: MESSAGE }]);
});
