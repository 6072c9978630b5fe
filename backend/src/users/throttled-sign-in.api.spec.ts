import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PASSWORD, startApp, type TestApp } from '../testing/app.js';
import { type Answer, bodyOf, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
const addUser = (email: string): Promise<Answer> => app.anonymous.post(`/api/admin/${app.adminKey}/users/addUser`, { email, password: PASSWORD });
const login = (email: string, password: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.anonymous.post('/api/auth/login', { email, password }, headers);
const countByStatus = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[statusAndCode(answer)] = (counts[statusAndCode(answer)] ?? 0) + 1;
  return counts;
};
const fifty = <Result>(ask: (nth: number) => Promise<Result>): Promise<Result[]> => Promise.all(Array.from({ length: 50 }, (_, nth) => ask(nth)));

describe('without a trusted proxy', () => {
  beforeAll(async () => {
    app = await startApp({ THROTTLE_ADDRESS_PASSWORDS: '70', THROTTLE_ACCOUNT_PASSWORDS: '10', THROTTLE_ADMIN_KEYS: '5', THROTTLE_GUESTS: '8' });
    for (const name of ['ana', 'bob', 'cleo']) bodyOf(await addUser(`${name}@example.org`));
  });
  afterAll(() => app.stop());

  test('of fifty concurrent wrong passwords for an account exactly ten are checked, whatever address each claims', async () => {
    const answers = await fifty((nth) =>
      login('ana@example.org', 'not-the-right-one', { 'X-Forwarded-For': `192.0.2.${nth}`, Forwarded: `for=192.0.2.${nth}` }),
    );
    expect(countByStatus(answers)).toEqual({ '401 auth.failed': 10, '429 throttled': 40 });
    expect(answers.filter(({ status, headers }) => status === 429 && !(Number(headers.get('retry-after')) > 0))).toEqual([]);
  });

  test('the account stays throttled after a restart, even for the right password, but not for a browser that signed in before', async () => {
    const known = await login('bob@example.org', PASSWORD);
    const device = known.headers.getSetCookie().find((cookie) => cookie.startsWith('roughmix_device=')) ?? '';
    await fifty(() => login('bob@example.org', 'not-the-right-one'));
    await app.restart();
    expect(statusAndCode(await login('ana@example.org', PASSWORD))).toBe('429 throttled');
    expect(statusAndCode(await login('bob@example.org', PASSWORD))).toBe('429 throttled');
    expect(statusAndCode(await login('bob@example.org', PASSWORD, { Cookie: device.split(';')[0] ?? '' }))).toBe('200');
    expect(statusAndCode(await login('cleo@example.org', PASSWORD))).toBe('200');
  });

  test('of fifty concurrent wrong passwords from an address only the remaining attempts are checked, and then no account can sign in from there', async () => {
    // The tests above used twenty.
    const answers = [...(await fifty((nth) => login(`nobody${nth}@example.org`, 'x'.repeat(8)))), await login('cleo@example.org', PASSWORD)];
    expect(countByStatus(answers)).toEqual({ '401 auth.failed': 50, '429 throttled': 1 });
    expect(statusAndCode(await app.anonymous.post('/api/auth/login', {}))).toBe('429 throttled');
  });

  test('of fifty concurrent wrong admin keys five are checked, then not even the right one, on any path', async () => {
    const answers = await fifty((nth) => app.anonymous.post(`/api/admin/${'wrong'.repeat(6)}${nth}/users/addUser`, {}));
    expect(countByStatus(answers)).toEqual({ '401 admin.unauthorized': 5, '429 throttled': 45 });
    expect(statusAndCode(await addUser('dan@example.org'))).toBe('429 throttled');
    expect(statusAndCode(await app.anonymous.get(`/api/admin/${app.adminKey}/nothing`))).toBe('429 throttled');
  });

  test('of fifty concurrent guest sessions eight start, and existing sessions keep working', async () => {
    const answers = await fifty(() => app.anonymous.post('/api/auth/guest'));
    expect(countByStatus(answers)).toEqual({ '200': 8, '429 throttled': 42 });
    expect(statusAndCode(await app.anonymous.post('/api/auth/guest', { unknown: true }))).toBe('429 throttled');
    const session =
      answers
        .find(({ status }) => status === 200)
        ?.headers.getSetCookie()[0]
        ?.split(';')[0] ?? '';
    expect((await app.anonymous.get('/api/auth/session', { Cookie: session })).status).toBe(200);
  });
});

describe('behind a trusted proxy', () => {
  beforeAll(async () => {
    app = await startApp({ TRUST_PROXY: '127.0.0.1', THROTTLE_ADDRESS_PASSWORDS: '3' });
    bodyOf(await addUser('ana@example.org'));
  });
  afterAll(() => app.stop());

  const from = (address: string): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 5 }, (_, nth) => login(`nobody${nth}@example.org`, 'x'.repeat(8), { 'X-Forwarded-For': address })));
  const right = async (address: string): Promise<string> => statusAndCode(await login('ana@example.org', PASSWORD, { 'X-Forwarded-For': address }));

  test('the address that the proxy saw counts, not the ones claimed before it', async () => {
    expect(countByStatus(await from('203.0.113.9, 198.51.100.1'))).toEqual({ '401 auth.failed': 3, '429 throttled': 2 });
    expect(await right('203.0.113.77, 198.51.100.1')).toBe('429 throttled');
    expect(await right('198.51.100.1, 198.51.100.2')).toBe('200');
  });

  test('a throttled address is 429 for the guest too, before the guest is refused', async () => {
    const guest = await app.guest();
    const change = async (address: string): Promise<string> =>
      statusAndCode(await guest.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: PASSWORD }, { 'X-Forwarded-For': address }));
    await from('192.0.2.99');
    expect([await change('192.0.2.99'), await change('192.0.2.98')]).toEqual(['429 throttled', '403 guest.read-only']);
  });

  test('an IPv6 subscriber is one address, whatever the last 64 bits', async () => {
    expect(countByStatus(await from('2001:db8:0:1::1'))).toEqual({ '401 auth.failed': 3, '429 throttled': 2 });
    expect(await right('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe('429 throttled');
    expect(await right('2001:db8:0:2::1')).toBe('200');
  });

  test('with a number of proxies the address that the last of them saw counts, wherever it is', async () => {
    const one = await startApp({ TRUST_PROXY: '1', THROTTLE_ADDRESS_PASSWORDS: '3' });
    const guess = (claimed: string): Promise<Answer> =>
      one.anonymous.post('/api/auth/login', { email: 'nobody@example.org', password: 'x'.repeat(8) }, { 'X-Forwarded-For': claimed });
    for (let nth = 0; nth < 3; nth += 1) expect(statusAndCode(await guess(`203.0.113.${nth}, 192.168.0.9`))).toBe('401 auth.failed');
    expect(statusAndCode(await guess('203.0.113.9, 192.168.0.9'))).toBe('429 throttled');
    expect(statusAndCode(await guess('192.168.0.9, 192.168.0.8'))).toBe('401 auth.failed');
    await one.stop();
  });

  test('the account gets 429 from the network that guesses, not from others', async () => {
    bodyOf(await addUser('bob@example.org'));
    const bob = async (password: string, address: string): Promise<string> =>
      statusAndCode(await login('bob@example.org', password, { 'X-Forwarded-For': address }));
    for (let host = 1; host <= 10; host += 1) expect(await bob('not-the-right-one', `192.0.2.${host}`)).toBe('401 auth.failed');
    for (const address of ['192.0.2.200', '::ffff:192.0.2.77']) expect(await bob(PASSWORD, address)).toBe('429 throttled');
    for (const address of ['192.0.3.1', '2001:db8:0:2::1']) expect(await bob(PASSWORD, address)).toBe('200');
  });

  test('a browser that signed in before has ten attempts of its own, wherever it is', async () => {
    bodyOf(await addUser('cleo@example.org'));
    const cleo = (password: string, host: number, Cookie = ''): Promise<Answer> =>
      login('cleo@example.org', password, { 'X-Forwarded-For': `198.18.${host}.1`, ...(Cookie === '' ? {} : { Cookie }) });
    const browser = async (host: number): Promise<string> =>
      (await cleo(PASSWORD, host)).headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('roughmix_device='))
        ?.split(';')[0] ?? '';
    const [one, other] = [await browser(101), await browser(102)];
    for (let host = 1; host <= 10; host += 1) expect(statusAndCode(await cleo('not-the-right-one', host, one))).toBe('401 auth.failed');
    const tried = [await cleo(PASSWORD, 103, one), await cleo(PASSWORD, 104, other), await cleo(PASSWORD, 105)];
    expect(tried.map(statusAndCode)).toEqual(['429 throttled', '200', '200']);
  });

  test('an IPv4 address equals its IPv6 form', async () => {
    expect(countByStatus(await from('192.0.2.55'))).toEqual({ '401 auth.failed': 3, '429 throttled': 2 });
    expect(await right('::ffff:192.0.2.55')).toBe('429 throttled');
  });
});

test('all networks of a /48 have ten times the limit of one: for sign-ins, guest sessions, invite requests, contact messages and reset links', async () => {
  const limits = { THROTTLE_GUESTS: '1', THROTTLE_INVITE_REQUESTS: '1', THROTTLE_CONTACT: '1', THROTTLE_ADDRESS_PASSWORDS: '1', THROTTLE_RESET_MISSES: '1' };
  const one = await startApp({ TRUST_PROXY: '127.0.0.1', ...limits });
  const calls: readonly (readonly [path: string, accepted: string, body?: object])[] = [
    ['/api/auth/login', '401 auth.failed', { email: 'nobody@example.org', password: 'x'.repeat(8) }],
    ['/api/auth/guest', '200', {}],
    ['/api/inviteRequests', '202', { email: 'ana@example.org' }],
    ['/api/contact', '202', { firstName: 'Ana', lastName: 'Reyes', reply_to: 'ana@example.org' }],
    [`/api/auth/passwordReset/${'x'.repeat(43)}`, '410 reset.spent', { newPassword: 'correct horse 9' }],
  ];
  for (const [path, accepted, body] of calls) {
    const from = async (address: string): Promise<string> => statusAndCode(await one.anonymous.post(path, body, { 'X-Forwarded-For': address }));
    const answers = [];
    for (let network = 0; network < 11; network += 1) answers.push(await from(`2001:db8:5:${network}::1`));
    expect([path, answers]).toEqual([path, [...Array.from({ length: 10 }, () => accepted), '429 throttled']]);
    expect([path, await from('2001:db8:6::1')]).toEqual([path, accepted]);
  }
  await one.stop();
});
