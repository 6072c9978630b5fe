import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import type { PushKeyAnswer, PushSubscriptionAnswer } from '@roughmix/contracts/push/push.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

const ENDPOINT = 'https://push.example.org/send/1';
const KEYS = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' };

let app: TestApp;
let ana: Person;

beforeAll(async () => {
  app = await startApp();
  ana = await app.person('Ana');
});
afterAll(() => app.stop());

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
  expect(bodyOf(await (await app.person('Bob')).get<PushKeyAnswer>(PUSH_PATHS.key))).toEqual({ key });
});
