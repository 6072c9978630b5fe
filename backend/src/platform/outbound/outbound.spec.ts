import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DnsServer } from '../../testing/dns-server.js';
import { manualClock } from '../../testing/manual-clock.js';
import { hostLookup, type Resolve } from './host-lookup.js';
import { Outbound } from './outbound.js';
import { PAGE_TARGETS, PUSH_TARGETS } from './outbound-target.js';

/** A server on loopback that records what reaches it. */
class Victim {
  readonly paths: string[] = [];
  readonly #server: Server;
  #port = 0;
  constructor(answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end('secret')) {
    this.#server = createServer((request, response) => {
      this.paths.push(request.url ?? '');
      answer(request, response);
    });
  }
  async listen(): Promise<this> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }
  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }
  get port(): number {
    return this.#port;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

const servers: Victim[] = [];
async function victim(answer?: ConstructorParameters<typeof Victim>[0]): Promise<Victim> {
  const started = await new Victim(answer).listen();
  servers.push(started);
  return started;
}

let target: Victim;
beforeEach(async () => {
  target = await victim();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const leadingTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const strict = (resolve?: Resolve) => new Outbound({ mode: 'public', allowed: [], ...(resolve && { resolve }) });
const allowing = (...allowed: string[]) => new Outbound({ mode: 'public', allowed });
const IMPATIENT = { mode: 'public', timeoutMs: 300 } as const;
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

/** Every port, so that only the address can be what is refused. */
const anyPort = () => ({ ...PAGE_TARGETS, ports: [target.port] });

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback as a number', '2130706433'],
  ['loopback in octal', '0177.0.0.1'],
  ['loopback in hexadecimal', '0x7f.0.0.1'],
  ['loopback, shortened', '127.1'],
  ['the unspecified address', '0.0.0.0'],
  ['loopback in IPv6', '[::1]'],
  ['mapped loopback', '[::ffff:127.0.0.1]'],
  ['NAT64 of loopback', '[64:ff9b::7f00:1]'],
  ['the metadata service', '169.254.169.254'],
  ['loopback in circled digits', '\u2460\u2461\u2466.\u24EA.\u24EA.\u2460'],
  ['loopback with a dot at its end', '127.0.0.1.'],
  ['a name of loopback', 'localhost'],
  ['a name of loopback with a dot at its end', 'localhost.'],
])('%s is refused without a connection: %s', async (_what, host) => {
  await expect(strict().get(`http://${host}:${target.port}/`, anyPort())).rejects.toMatchObject({ name: 'OutboundRefused', because: 'address' });
  expect(target.paths).toEqual([]);
});

test('one private address among public ones refuses the host', async () => {
  await expect(strict(leadingTo('93.184.215.14', '127.0.0.1')).get(`http://public.example:${target.port}/`, anyPort())).rejects.toMatchObject({
    because: 'address',
  });
  expect(target.paths).toEqual([]);
});

test('a host is resolved once, so that a name cannot change between check and connection', async () => {
  let lookups = 0;
  const rebinding: Resolve = async () => [{ address: ++lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  const outbound = new Outbound({ mode: 'public', allowed: [`rebind.example:${target.port}`], resolve: rebinding });
  const { status, body } = await outbound.get(`http://rebind.example:${target.port}/once`, PAGE_TARGETS);
  expect({ lookups, status, body: body.toString(), paths: target.paths }).toEqual({ lookups: 1, status: 200, body: 'secret', paths: ['/once'] });
});

test('the checked address is connected to, not the one that the system would find', async () => {
  const outbound = new Outbound({ mode: 'public', allowed: [`nowhere.invalid:${target.port}`], resolve: leadingTo('127.0.0.1') });
  const { body } = await outbound.get(`http://nowhere.invalid:${target.port}/`, PAGE_TARGETS);
  expect(body.toString()).toBe('secret');
});

test('a redirect is checked like the first URL', async () => {
  const lure = await victim((_request, response) => response.writeHead(302, { location: `http://${target.host}/admin` }).end());
  await expect(allowing(lure.host).get(`http://${lure.host}/`, { ...PAGE_TARGETS, ports: [lure.port, target.port] })).rejects.toMatchObject({
    name: 'OutboundRefused',
    because: 'address',
  });
  expect({ lure: lure.paths, target: target.paths }).toEqual({ lure: ['/'], target: [] });
});

test.each([
  ['another scheme', 'file:///etc/passwd'],
  ['another port', 'http://example.org:22/'],
  ['credentials', 'http://user:password@example.org/'],
])('a redirect to %s is refused', async (_what, location) => {
  const lure = await victim((_request, response) => response.writeHead(302, { location }).end());
  await expect(allowing(lure.host).get(`http://${lure.host}/`, PAGE_TARGETS)).rejects.toMatchObject({ name: 'OutboundRefused', because: 'form' });
});

test('three redirects are followed, a fourth is refused', async () => {
  const chain = await victim((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('end');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const { url, body } = await allowing(chain.host).get(`http://${chain.host}/3`, PAGE_TARGETS);
  expect({ url, body: body.toString() }).toEqual({ url: `http://${chain.host}/0`, body: 'end' });
  await expect(allowing(chain.host).get(`http://${chain.host}/4`, PAGE_TARGETS)).rejects.toMatchObject({ because: 'redirects' });
});

test('a request that is sent once answers with the redirect', async () => {
  const lure = await victim((_request, response) => response.writeHead(307, { location: `http://${target.host}/` }).end());
  const { status } = await allowing(lure.host).send(`http://${lure.host}/`, { method: 'POST', body: Buffer.from('x') }, PUSH_TARGETS);
  expect({ status, target: target.paths }).toEqual({ status: 307, target: [] });
});

test('an answer over 1 MB is refused, one of 1 MB is not', async () => {
  const big = await victim((request, response) => response.end(Buffer.alloc(Number(request.url?.slice(1)))));
  const { body } = await allowing(big.host).get(`http://${big.host}/1000000`, PAGE_TARGETS);
  expect(body.length).toBe(1_000_000);
  await expect(allowing(big.host).get(`http://${big.host}/1000001`, PAGE_TARGETS)).rejects.toThrow('the answer has more than 1000000 bytes');
});

test('a compressed answer is not expanded', async () => {
  let asked: string | string[] | undefined;
  const packed = await victim((request, response) => {
    asked = request.headers['accept-encoding'];
    response.end();
  });
  await allowing(packed.host).get(`http://${packed.host}/`, PAGE_TARGETS);
  expect(asked).toBe('identity');
});

test('a server that never answers fails within the deadline', async () => {
  const silent = await victim(() => undefined);
  await expect(new Outbound({ ...IMPATIENT, allowed: [silent.host] }).get(`http://${silent.host}/`, PAGE_TARGETS)).rejects.toThrow('no answer within 300 ms');
});

test('a server that answers a byte at a time fails within the same deadline', async () => {
  const slow = await victim((_request, response) => {
    const timer = setInterval(() => response.write('x'), 100);
    response.on('close', () => clearInterval(timer));
  });
  await expect(new Outbound({ ...IMPATIENT, allowed: [slow.host] }).get(`http://${slow.host}/`, PAGE_TARGETS)).rejects.toThrow('no answer within 300 ms');
});

describe('a host whose name server', () => {
  let dns: DnsServer;
  const outbound = (settings: object = {}) => new Outbound({ mode: 'public', allowed: [], resolve: hostLookup([dns.address]), ...settings });
  beforeEach(async () => {
    dns = await DnsServer.start();
  });
  afterEach(() => dns.stop());

  test('never answers fails within the deadline, with its queries cancelled and without a thread of libuv', async () => {
    const threads: number[] = [];
    dns.onAsked = () => void threads.push(process.getActiveResourcesInfo().filter((each) => each === 'GetAddrInfoReqWrap').length);
    await expect(outbound({ timeoutMs: 500 }).get('http://silent.example/', PAGE_TARGETS)).rejects.toThrow('no answer within 500 ms');
    expect([dns.asked.toSorted(), threads]).toEqual([
      ['A silent.example', 'AAAA silent.example'],
      [0, 0],
    ]);
    // Another lookup gets as far as its second query, after one to two seconds: that of the first would have come before.
    await expect(outbound({ timeoutMs: 10_000 }).get('http://mute.example/', PAGE_TARGETS)).rejects.toThrow('the host name cannot be resolved');
    const times = (question: string): number => dns.asked.filter((each) => each === question).length;
    expect([times('A mute.example'), times('A silent.example')]).toEqual([2, 1]);
  });

  test('answers with a private address is refused, over IPv6 too', async () => {
    dns.addresses.set('A private.example', '10.0.0.1');
    dns.addresses.set('A half.example', '93.184.215.14').set('AAAA half.example', 'fd00::1');
    for (const host of ['private', 'half']) await expect(outbound().get(`http://${host}.example/`, PAGE_TARGETS)).rejects.toMatchObject({ because: 'address' });
  });

  test('does not know it rests for a minute, in which it is not asked for it again', async () => {
    dns.unknown.add('typo.example');
    const clock = manualClock();
    const sending = outbound({ clock: clock.now });
    const get = (host: string) => sending.get(`http://${host}/`, PAGE_TARGETS);
    await expect(get('typo.example')).rejects.toThrow('the host name cannot be resolved');
    expect(dns.asked).toEqual(['A typo.example', 'AAAA typo.example']);
    clock.move(59_999);
    await expect(get('typo.example')).rejects.toThrow('the host name could not be resolved within the last minute');
    expect(dns.asked).toHaveLength(2);
    dns.addresses.set('A other.example', '10.0.0.1');
    await expect(get('other.example')).rejects.toMatchObject({ because: 'address' });
    clock.move(1);
    await expect(get('typo.example')).rejects.toThrow('the host name cannot be resolved');
    expect(dns.asked.filter((question) => question === 'A typo.example')).toHaveLength(2);
  });
});

test('a request ends after its lookup, even beyond the deadline, so that its slot counts what is under way', async () => {
  let [isCancelled, endLookup] = [false, (): void => undefined];
  const resolve: Resolve = (_host, { signal }) =>
    new Promise((_found, reject) => {
      signal.addEventListener('abort', () => (isCancelled = true));
      endLookup = () => reject(new Error('cancelled'));
    });
  let hasEnded = false;
  const asking = new Outbound({ ...IMPATIENT, allowed: [], resolve }).get('http://example.org/', PAGE_TARGETS);
  const ended = asking.catch((error: Error) => error.message).finally(() => (hasEnded = true));
  await until(() => isCancelled);
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  endLookup();
  expect(await ended).toBe('no answer within 300 ms');
});

test('names of this machine are private without a question, and hosts of the operator are left to the system', async () => {
  const dns = await DnsServer.start();
  const sending = new Outbound({ mode: 'public', allowed: [`localhost:${target.port}`], resolve: hostLookup([dns.address]) });
  const elsewhere = { ...PAGE_TARGETS, ports: [target.port + 1] };
  for (const host of ['localhost', 'LOCALHOST.', 'any.localhost'])
    await expect(sending.get(`http://${host}:${target.port + 1}/`, elsewhere)).rejects.toMatchObject({ because: 'address' });
  expect((await sending.get(`http://localhost:${target.port}/`, PAGE_TARGETS)).body.toString()).toBe('secret');
  expect(dns.asked).toEqual([]);
  await dns.stop();
});

test('OUTBOUND=none sends nothing, not even to allowed hosts', async () => {
  const outbound = new Outbound({ mode: 'none', allowed: [target.host] });
  await expect(outbound.get(`http://${target.host}/`, PAGE_TARGETS)).rejects.toMatchObject({ name: 'OutboundRefused', because: 'disabled' });
  expect(target.paths).toEqual([]);
});

test.each([
  ['https://push.example.org/send/1', true],
  ['https://push.example.org:443/send/1', true],
  ['http://push.example.org/send/1', false],
  ['https://push.example.org:8443/send/1', false],
  ['https://user@push.example.org/send/1', false],
  ['https://93.184.215.14/send/1', false],
  ['https://[2606:4700::1111]/send/1', false],
  ['https://127.1/', false],
  ['https://0x7f000001/', false],
  ['https://\u2460\u2461\u2466.\u24EA.\u24EA.\u2460/', false],
  ['https://push.example.org%00.evil.example/', false],
  ['file:///etc/passwd', false],
  ['ftp://push.example.org/', false],
  ['push.example.org', false],
  ['http://intranet.example:8080/send/1', true],
  ['http://user@intranet.example:8080/send/1', false],
])('a push endpoint %s may be used: %s', (url, expected) => {
  expect(allowing('intranet.example:8080').hasAllowedForm(url, PUSH_TARGETS)).toBe(expected);
});
