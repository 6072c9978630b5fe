import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MAILING_PATHS } from '@roughmix/contracts/mailings/mailing.paths.js';
import type { UserSettings } from '@roughmix/contracts/users/user.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { Person } from '../testing/app.js';
import { type MailingApp, startMailingApp } from '../testing/mailing-app.js';
import { type Answer, bodyOf, expectRefused, statusAndCode, TestClient } from '../testing/test-client.js';
import { TestSockets } from '../testing/test-sockets.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CROSS_SITE = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const listening = new TestSockets();
let mail: MailingApp;
let anonymous: TestClient;
let ana: Person;
let bob: Person;

beforeAll(async () => {
  mail = await startMailingApp();
  ({ anonymous } = mail.app);
  [ana, bob] = await mail.app.people('Ana', 'Bob');
});
afterAll(() => listening.stop(mail.app));

const digestOf = (who: Person): string => MAILING_PATHS.unsubscribe(mail.tokens().issue({ uid: who.uid, mailing: 'digest' }));
const setMailings = async (who: Person, mailNotifs: UserSettings['mailNotifs']): Promise<void> =>
  void bodyOf(await who.put(USER_PATHS.user(who.uid), { settings: { mailNotifs } }));
const mailingsOf = async (who: Person): Promise<UserSettings['mailNotifs']> =>
  bodyOf(await who.get<{ user: { settings: UserSettings } }>(USER_PATHS.session)).user.settings.mailNotifs;
const post = (path: string, body?: string, headers: Readonly<Record<string, string>> = {}, who: TestClient = anonymous): Promise<Answer> =>
  who.send('POST', path, { ...(body === undefined ? {} : { body }), headers });

test.each([
  ['a form', ONE_CLICK, { ...FORM, ...CROSS_SITE }],
  [
    'a form with parts',
    `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`,
    { 'Content-Type': 'multipart/form-data; boundary=x' },
  ],
  ['an empty body', undefined, {}],
  ['an empty JSON body', '', { 'Content-Type': 'application/json', ...CROSS_SITE }],
  ['broken JSON', '{', { 'Content-Type': 'application/json' }],
])('one POST without a session turns that kind off, also twice: %s', async (_what, body, headers) => {
  await setMailings(ana, { todoReminders: true, digest: true });
  const path = digestOf(ana);
  for (let times = 0; times < 2; times += 1) {
    const answer = await post(path, body, headers);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(await mailingsOf(ana)).toEqual({ todoReminders: true, digest: false });
  }
});

test('it is a change by the user, of which their open pages hear once', async () => {
  await setMailings(bob, { todoReminders: true, digest: true });
  const socket = await listening.socket(bob);
  const path = MAILING_PATHS.unsubscribe(mail.tokens().issue({ uid: bob.uid, mailing: 'todoReminders' }));
  expect((await post(path, ONE_CLICK, FORM, await mail.app.guest())).status).toBe(204);
  expect((await post(path, ONE_CLICK, FORM, ana)).status).toBe(204);
  const last = Number((await bob.put(USER_PATHS.user(bob.uid), { info: { about: 'Last' } })).headers.get('x-position'));
  await socket.until(({ channel, body }) => channel === 'users' && body.position === last);
  expect(socket.received.filter(({ channel }) => channel === 'users')).toMatchObject([
    { body: { type: 'UserEdited', actorUid: bob.uid, view: { settings: { mailNotifs: { todoReminders: false, digest: true } } } } },
    { body: { type: 'UserEdited', actorUid: bob.uid } },
  ]);
});

test.each(['GET', 'HEAD'] as const)('%s leads to the page and changes nothing', async (method) => {
  await setMailings(ana, { todoReminders: true, digest: true });
  const path = digestOf(ana);
  const answer = await anonymous.send(method, path, { headers: CROSS_SITE });
  expect([answer.status, answer.headers.get('location'), answer.body]).toEqual([303, path.replace('/api/mail', ''), '']);
  expect(await mailingsOf(ana)).toEqual({ todoReminders: true, digest: true });
});

test('tokens differ each time, and contain nothing that reads', () => {
  const [one, other] = [digestOf(ana), digestOf(ana)];
  expect(one).not.toBe(other);
  const sealed = Buffer.from(one.split('-').slice(1).join('-'), 'base64url').toString('latin1');
  expect([one.includes(ana.uid), sealed.includes(ana.uid)]).toEqual([false, false]);
});

test('no other token is known, nor is that of an erased user', async () => {
  const token = mail.tokens().issue({ uid: bob.uid, mailing: 'digest' });
  const changed = `${token.slice(0, -6)}${token.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}`;
  const unknown = ['x', 'digest-', `digest-${'A'.repeat(60)}`, changed, token.replace('digest', 'todoReminders'), token.slice(0, -8), bob.uid];
  for (const each of unknown) {
    for (const method of ['POST', 'GET'] as const) expectRefused(await anonymous.send(method, MAILING_PATHS.unsubscribe(each)), 'mail.unknown-token');
  }
  expect((await post(MAILING_PATHS.unsubscribe(token))).status).toBe(204);
  bodyOf(await anonymous.post(`/api/admin/${mail.app.adminKey}/users/erase`, { user: bob.uid }));
  for (const method of ['POST', 'GET', 'HEAD'] as const) expect((await anonymous.raw(method, MAILING_PATHS.unsubscribe(token))).status).toBe(404);
});

test('other calls stay closed to forms and to other sites', async () => {
  const settings = USER_PATHS.user(ana.uid);
  expect(statusAndCode(await ana.send('PUT', settings, { body: 'a=b', headers: FORM }))).toBe('415 request.media-type');
  expect(statusAndCode(await ana.put(settings, {}, CROSS_SITE))).toBe('403 request.cross-origin');
  expect(statusAndCode(await post('/api/auth/visit', 'href=/', { ...FORM, ...CROSS_SITE }))).toBe('403 request.cross-origin');
});
