import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeviceSession, SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import { PASSWORD, Person, sessionIn, startApp, type TestApp } from '../testing/app.js';
import { bodyOf, expectRefused } from '../testing/test-client.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const MINUTE_MS = 60_000;
let app: TestApp;
let clock = Date.UTC(2026, 0, 1);
let nth = 0;
let email: string;
let ana: Person;

beforeAll(async () => {
  app = await startApp({}, { clock: () => clock });
});
beforeEach(async () => {
  nth += 1;
  ana = await app.person(`Ana${nth}`);
  email = `ana${nth}.tester@example.org`;
  clock += MINUTE_MS;
});
afterAll(() => app.stop());

async function signIn(userAgent: string): Promise<Person> {
  const answer = await app.anonymous.post('/api/auth/login', { email, password: PASSWORD }, { 'User-Agent': userAgent });
  return new Person(app.url, sessionIn(answer.headers), ana.uid, ana.username);
}
const sessionsOf = async (who: Person): Promise<readonly DeviceSession[]> => bodyOf(await who.get<SessionsAnswer>('/api/auth/sessions')).sessions;
const currentOf = async (who: Person): Promise<string> => (await sessionsOf(who))[0]?._id ?? '';

describe('signed-in devices', () => {
  test('are listed by name and date, the current one first', async () => {
    const began = clock;
    const firefox = await signIn(FIREFOX);
    clock += MINUTE_MS;
    const list = await sessionsOf(ana);
    const id: unknown = expect.stringMatching(/^[A-Za-z0-9_]{21,36}$/);
    expect(list).toEqual([
      { _id: id, current: true, dateAdded: began - MINUTE_MS, lastUsed: clock, device: 'Unknown device' },
      { _id: id, current: false, dateAdded: began, lastUsed: began, device: 'Firefox on Linux' },
    ]);
    expect((await sessionsOf(firefox)).map(({ device, current }) => [device, current])).toEqual([
      ['Firefox on Linux', true],
      ['Unknown device', false],
    ]);
  });

  test('were last used to the minute', async () => {
    const used = clock;
    await sessionsOf(ana);
    clock += MINUTE_MS - 1;
    expect((await sessionsOf(ana))[0]?.lastUsed).toBe(used);
    clock += 2_001;
    expect((await sessionsOf(ana))[0]?.lastUsed).toBe(clock);
  });

  test('end one by one', async () => {
    const [one, other] = [await signIn(FIREFOX), await signIn(FIREFOX)];
    expect((await ana.call('DELETE', `/api/auth/sessions/${await currentOf(one)}`)).status).toBe(204);
    expectRefused(await one.get('/api/auth/session'), 'auth.required');
    expect([(await other.get('/api/auth/session')).status, (await sessionsOf(ana)).length]).toEqual([200, 2]);
  });

  test('end all together, except the current one', async () => {
    const others = [await signIn(FIREFOX), await signIn(FIREFOX)];
    const ended = await ana.call('DELETE', '/api/auth/sessions');
    expect([ended.status, ended.headers.getSetCookie()]).toEqual([204, []]);
    for (const other of others) expectRefused(await other.get('/api/auth/session'), 'auth.required');
    expect(await sessionsOf(ana)).toMatchObject([{ current: true }]);
  });

  test('ending the current one is a logout', async () => {
    const ended = await ana.call('DELETE', `/api/auth/sessions/${await currentOf(ana)}`);
    expect([ended.status, ended.headers.get('clear-site-data')]).toEqual([204, '"cache"']);
    expect(ended.headers.getSetCookie()).toEqual([expect.stringMatching(/^roughmix_session=; Max-Age=0;/)]);
    expectRefused(await ana.get('/api/auth/session'), 'auth.required');
  });

  test('of others, ended ones and unknown ones are 404 session.not-found', async () => {
    const [bob, gone] = [await app.person(`Bob${nth}`), await signIn(FIREFOX)];
    const ids = [await currentOf(bob), await currentOf(gone), 'abcdefghijklmnopqrstuvwxyz', 'x', '__proto__'];
    await gone.post('/api/auth/logout');
    for (const id of ids) expectRefused(await ana.call('DELETE', `/api/auth/sessions/${id}`), 'session.not-found');
    expect((await bob.get('/api/auth/session')).status).toBe(200);
  });
});

describe('a guest', () => {
  test('sees the current session only, and ends nothing without an id', async () => {
    const [guest, other] = [await app.guest(), await app.guest()];
    expect(await sessionsOf(guest)).toMatchObject([{ current: true }]);
    expect((await guest.call('DELETE', '/api/auth/sessions')).status).toBe(204);
    expectRefused(await guest.call('DELETE', `/api/auth/sessions/${await currentOf(other)}`), 'session.not-found');
    expect((await other.get('/api/auth/session')).status).toBe(200);
    expect((await guest.call('DELETE', `/api/auth/sessions/${await currentOf(guest)}`)).status).toBe(204);
    expectRefused(await guest.get('/api/auth/session'), 'auth.required');
  });
});

test('signing out clears the browser cache and keeps the device cookie', async () => {
  const { status, headers } = await ana.post('/api/auth/logout');
  expect([status, headers.get('clear-site-data')]).toEqual([204, '"cache"']);
  expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^roughmix_session=; Max-Age=0;/)]);
});
