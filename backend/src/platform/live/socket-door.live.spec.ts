import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { type RawHandshake, rawHandshake } from '../../testing/raw-handshake.js';
import { socketOf } from '../../testing/test-socket.js';

let app: TestApp;
let ana: Person;
let open: RawHandshake[] = [];

beforeAll(async () => {
  app = await startApp({ TRUST_PROXY: '127.0.0.1' });
  ana = await app.person('Ana');
});
afterEach(() => {
  for (const { connection } of open) connection.destroy();
  open = [];
});
afterAll(() => app.stop());

const from = (address: string) => ({ 'X-Forwarded-For': address });
async function knock(headers: Readonly<Record<string, string>> = {}): Promise<RawHandshake> {
  const made = await rawHandshake(app.url, headers);
  open.push(made);
  return made;
}
/** Knocks until a handshake is accepted: the server may not have noticed yet that another has ended. */
async function untilAccepted(headers: Readonly<Record<string, string>>): Promise<void> {
  while ((await knock(headers)).status !== 101);
}

describe('a handshake', () => {
  test.each([
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('with the header %s: %s is refused before the upgrade, whatever its session', async (name, value) => {
    const refused = await knock({ [name]: value, Authorization: `Bearer ${ana.token ?? ''}` });
    expect([refused.status, JSON.parse(refused.body)]).toEqual([403, expect.objectContaining({ code: 'request.cross-origin', status: 403 })]);
  });

  test('from our own page is accepted', async () => {
    expect((await knock({ Origin: app.url, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(101);
  });
});

describe('sockets without a session', () => {
  test('can be twenty of one address; further handshakes are 429 until one has ended or shown its session', async () => {
    const here = from('192.0.2.1');
    for (let nth = 0; nth < 20; nth += 1) expect((await knock(here)).status).toBe(101);
    const refused = await knock(here);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([429, expect.objectContaining({ code: 'throttled', status: 429 })]);
    expect((await knock({ 'X-Forwarded-For': '203.0.113.9, 192.0.2.1' })).status).toBe(429);
    expect((await knock(from('192.0.2.2'))).status).toBe(101);
    open[0]?.connection.destroy();
    await untilAccepted(here);
    open[1]?.connection.destroy();
    await untilAccepted(from('192.0.2.1'));
  });

  test('no longer count once they have a session', async () => {
    const here = from('192.0.2.3');
    const mine = await Promise.all(Array.from({ length: 20 }, () => socketOf(ana, { headers: here })));
    for (let nth = 0; nth < 20; nth += 1) expect((await knock(here)).status).toBe(101);
    expect(mine.filter(({ isConnected }) => isConnected)).toHaveLength(20);
    for (const socket of mine) socket.close();
  });

  test('share the limit of their /64 in IPv6', async () => {
    for (let nth = 0; nth < 20; nth += 1) expect((await knock(from(`2001:db8:0:1::${nth + 1}`))).status).toBe(101);
    expect((await knock(from('2001:db8:0:1:ffff::1'))).status).toBe(429);
    expect((await knock(from('2001:db8:0:2::1'))).status).toBe(101);
  });

  test('are closed after five seconds', async () => {
    const began = performance.now();
    const silent = await knock(from('192.0.2.4'));
    await once(silent.connection, 'close');
    const seconds = (performance.now() - began) / 1_000;
    expect([seconds > 4.5, seconds < 8]).toEqual([true, true]);
  });
});
