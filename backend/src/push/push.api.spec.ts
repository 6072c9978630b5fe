import { createECDH } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ProjectionsAnswer } from '@roughmix/contracts/admin/admin.view.js';
import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import type { PushKeyAnswer, PushPayload, PushSubscriptionAnswer } from '@roughmix/contracts/push/push.view.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { markAsRead, newest } from '../testing/notification-calls.js';
import { aProjectWith, comment, todo } from '../testing/project-over-http.js';
import { PushService, type ReceivedPush, vapidOf } from '../testing/push-service.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

const MINUTE_MS = 60_000;
/** Where Bob's browser gets its messages. */
const PATH = '/bob';
const ENDPOINT = 'https://push.example.org/send/1';
const KEYS = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' };

let service: PushService;
let now = Date.now();
let app: TestApp;
let ana: Person;
let bob: Person;
let projectId: string;

beforeAll(async () => {
  service = await PushService.start();
  app = await startApp({ OUTBOUND_ALLOW: service.host }, { clock: () => now });
  [ana, bob] = await app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  // The invitation is not pushed any more.
  await app.reactorsIdle();
  bodyOf(await bob.post(PUSH_PATHS.subscriptions, service.browser(PATH)));
});
beforeEach(() => {
  service.received.length = 0;
});
afterAll(async () => {
  await app.stop();
  await service.stop();
});

const subscribe = (body: object): Promise<Answer<PushSubscriptionAnswer>> => ana.post<PushSubscriptionAnswer>(PUSH_PATHS.subscriptions, body);
const unsubscribe = (endpoint: string): Promise<Answer> => ana.call('DELETE', PUSH_PATHS.subscriptions, { body: { endpoint } });

describe('a browser subscribes', () => {
  test('with what PushSubscription.toJSON() returns; the same endpoint again has the same id', async () => {
    const answer = await subscribe({ endpoint: ENDPOINT, expirationTime: null, keys: KEYS });
    expect([answer.status, answer.body]).toEqual([201, { _id: expect.stringMatching(/^[A-Za-z0-9_]{21,36}$/) }]);
    expect(bodyOf(await subscribe({ endpoint: ENDPOINT, expirationTime: 1_800_000_000_000, keys: KEYS }))).toEqual(answer.body);
    expect(bodyOf(await subscribe({ endpoint: `${ENDPOINT}0`, keys: KEYS }))).not.toEqual(answer.body);
  });

  test.each<[what: string, body: object, refusal: string]>([
    ['no keys', { endpoint: ENDPOINT }, '400 request.invalid'],
    ['a point of 64 bytes', { endpoint: ENDPOINT, keys: { ...KEYS, p256dh: KEYS.p256dh.slice(0, 86) } }, '400 request.invalid'],
    ['a point off the curve', { endpoint: ENDPOINT, keys: { ...KEYS, p256dh: Buffer.alloc(65, 4).toString('base64url') } }, '400 request.invalid'],
    ['an auth of 15 bytes', { endpoint: ENDPOINT, keys: { ...KEYS, auth: KEYS.auth.slice(0, 20) } }, '400 request.invalid'],
    ['another key', { endpoint: ENDPOINT, keys: { ...KEYS, more: 'x' } }, '400 request.unknown-field'],
    ['no time to expire', { endpoint: ENDPOINT, expirationTime: 'soon', keys: KEYS }, '400 request.invalid'],
    ['an endpoint of 2,048 characters', { endpoint: ENDPOINT.padEnd(2_048, 'x'), keys: KEYS }, '201'],
    ['an endpoint of 2,049 characters', { endpoint: ENDPOINT.padEnd(2_049, 'x'), keys: KEYS }, '400 request.invalid'],
    ['an endpoint without TLS', { endpoint: 'http://push.example.org/1', keys: KEYS }, '400 push.endpoint-refused'],
    ['an endpoint on another port', { endpoint: 'https://push.example.org:8443/1', keys: KEYS }, '400 push.endpoint-refused'],
    ['an endpoint at an IP address', { endpoint: 'https://93.184.215.14/1', keys: KEYS }, '400 push.endpoint-refused'],
    ['an endpoint with a user', { endpoint: 'https://ana@push.example.org/1', keys: KEYS }, '400 push.endpoint-refused'],
    ['no URL', { endpoint: 'push', keys: KEYS }, '400 push.endpoint-refused'],
  ])('with %s', async (_what, body, refusal) => {
    expect(statusAndCode(await subscribe(body))).toBe(refusal);
  });

  test('never with an answer or a problem that repeats the endpoint', async () => {
    const { status, body } = await subscribe({ endpoint: 'https://push.example.org:8443/planted', keys: KEYS });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining('planted')]);
  });
});

test('unsubscribing is 204, whatever the endpoint', async () => {
  await subscribe({ endpoint: ENDPOINT, keys: KEYS });
  for (const endpoint of [ENDPOINT, ENDPOINT, 'https://push.example.org/other', 'push']) expect((await unsubscribe(endpoint)).status).toBe(204);
  expect(statusAndCode(await unsubscribe('x'.repeat(2_049)))).toBe('400 request.invalid');
});

test('the guest gets no push messages', async () => {
  const guest = await app.guest();
  expectRefused(await guest.post(PUSH_PATHS.subscriptions, { endpoint: ENDPOINT, keys: KEYS }), 'guest.read-only');
});

test('the key is a point on the curve, the same for everybody', async () => {
  const { key } = bodyOf(await ana.get<PushKeyAnswer>(PUSH_PATHS.key));
  expect(Buffer.from(key, 'base64url')).toHaveLength(65);
  expect(bodyOf(await bob.get<PushKeyAnswer>(PUSH_PATHS.key))).toEqual({ key });
});

const read = (received: ReceivedPush | undefined): PushPayload | null => (received === undefined ? null : service.read<PushPayload>(received));
const mentionBob = (text: string): Promise<ActiveComment & { readonly position: number }> =>
  comment(ana, projectId, { content: `${text} ${mention(bob.username)}` });
const settle = (pushNotifs: object): Promise<Answer> => bob.put(`/api/users/${bob.uid}`, { settings: { pushNotifs } });

/** The messages that Bob's browser got until one about this text; those before it were sent to it as well. */
async function bodiesUntil(text: string): Promise<readonly string[]> {
  for (let count = service.received.length; ; count += 1) {
    const bodies = (await service.messages(PATH, count)).map((each) => read(each)?.body ?? '');
    if (bodies.some((body) => body.includes(text))) return bodies;
  }
}

describe('a notification is pushed', () => {
  test('with its sentence and link, once, under its own id', async () => {
    const { _id: commentId } = await mentionBob('Lift it,');
    const [received] = await service.messages(PATH, 1);
    const { _id } = await newest(bob, 'CommentTaggedUser', commentId);
    expect(read(received)).toEqual({
      title: 'Roughmix',
      body: 'Ana Tester mentioned you in Low tide: Lift it, @Bob Tester',
      icon: '/site/icon-192.png',
      href: `/ana-tester/projects/${projectId}?comment=${commentId}`,
      tag: _id,
    });
    expect([received?.headers['urgency'], vapidOf(received?.headers ?? {}).claims]).toEqual([
      'normal',
      expect.objectContaining({ aud: `http://${service.host}` }),
    ]);
    expect(existsSync('frontend/public/site/icon-192.png')).toBe(true);
  });

  test('by the settings of its receiver: other activity is off at first', async () => {
    await comment(ana, projectId, { content: 'Quiet' });
    await mentionBob('Loud,');
    expect(await bodiesUntil('Loud')).toEqual(['Ana Tester mentioned you in Low tide: Loud, @Bob Tester']);
    await settle({ activity: true, mentions: false });
    await mentionBob('Unsaid,');
    await comment(ana, projectId, { content: 'Now heard' });
    expect((await bodiesUntil('heard')).slice(1)).toEqual(['Ana Tester commented on Low tide: Now heard']);
    await settle({ enabled: false });
    await comment(ana, projectId, { content: 'Off' });
    await settle({ enabled: true, activity: false, mentions: true });
    await mentionBob('On,');
    expect((await bodiesUntil('On')).slice(2)).toEqual(['Ana Tester mentioned you in Low tide: On, @Bob Tester']);
  });

  test('at once and urgently for a reminder', async () => {
    await todo(ana, projectId, { content: `Ship it ${mention(bob.username)}`, dueDate: now + 20 * MINUTE_MS, reminder: { '15 minutes before': 0 } });
    await service.messages(PATH, 1);
    now += 6 * MINUTE_MS;
    const [, reminder] = await service.messages(PATH, 2);
    expect([read(reminder)?.body, reminder?.headers['urgency']]).toEqual(['Due in 15 minutes: Ship it @Bob Tester (Low tide)', 'high']);
  });
});

describe('a notification is not pushed', () => {
  test('again once it was read, whatever the push service answered first', async () => {
    service.answer = () => ({ status: 503 });
    await mentionBob('First,');
    const [first] = await service.messages(PATH, 1);
    bodyOf(await markAsRead(bob, [read(first)?.tag ?? '']));
    service.answer = () => ({ status: 201 });
    now += MINUTE_MS;
    await mentionBob('Second,');
    expect((await bodiesUntil('Second')).filter((body) => body.includes('First'))).toHaveLength(1);
  });

  test('by a rebuild of the notifications, which makes them again', async () => {
    const projections = `/api/admin/${app.adminKey}/projections`;
    const generation = async (): Promise<number | undefined> =>
      bodyOf(await app.anonymous.get<ProjectionsAnswer>(projections)).projections.find(({ projector }) => projector === 'notifications')?.generation;
    bodyOf(await app.anonymous.post(`${projections}/notifications/rebuild`));
    while ((await generation()) !== 2) await pause(10);
    await mentionBob('Rebuilt,');
    expect(await bodiesUntil('Rebuilt')).toHaveLength(1);
  });

  test('to a user who has signed out', async () => {
    const away = await app.signIn('bob.tester@example.org', bob.username);
    bodyOf(await away.post(PUSH_PATHS.subscriptions, service.browser('/away')));
    bodyOf(await away.post('/api/auth/logout'));
    await mentionBob('Gone,');
    await bodiesUntil('Gone');
    await app.reactorsIdle();
    expect(service.received.map(({ path }) => path)).toEqual([PATH]);
  });
});
