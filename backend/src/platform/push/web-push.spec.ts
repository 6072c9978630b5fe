import { createECDH } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { browserKeys, decryptPush, PushService, type PushAnswer, vapidOf } from '../../testing/push-service.js';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { VaultKeys } from '../auth/vault-keys.js';
import { readConfig } from '../config/config.js';
import { Outbound } from '../outbound/outbound.js';
import { type PushResult, WebPush } from './web-push.js';

/** RFC 8291, appendix A. */
const RFC = {
  sender: {
    VAPID_PUBLIC_KEY: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  },
  receiver: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};
const MESSAGE = { payload: '{"title":"Roughmix ü"}', urgency: 'high' } as const;

let stored: TemporaryVault;
let service: PushService;
let clock: ReturnType<typeof manualClock>;

beforeEach(async () => {
  [stored, service, clock] = [await temporaryVault(), await PushService.start(), manualClock()];
});
afterEach(async () => {
  await service.stop();
  await stored.remove();
});

async function webPush(environment: NodeJS.ProcessEnv = {}, outbound = new Outbound({ mode: 'public', allowed: [service.host] })): Promise<WebPush> {
  return new WebPush(readConfig(environment), clock.now, outbound, await VaultKeys.open(stored.vault, Buffer.alloc(32, 7)));
}

function target(path = '/send/1') {
  const { endpoint, keys } = service.browser(path);
  return { endpoint, ...keys };
}

test('the receiver of these specs decrypts the example of RFC 8291', () => {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(RFC.receiver, 'base64url');
  const text = decryptPush({ curve, auth: Buffer.from(RFC.auth, 'base64url') }, Buffer.from(RFC.body, 'base64url'));
  expect(text).toBe('When I grow up, I want to be a watermelon');
});

describe('a message', () => {
  test('is encrypted for its browser only, and says how urgent it is and how long to keep it', async () => {
    await expect((await webPush()).send(target(), MESSAGE)).resolves.toEqual({ outcome: 'accepted' });
    const [received] = await service.messages('/send/1', 1);
    if (received === undefined) throw new Error('nothing was received');
    expect(service.read(received)).toEqual({ title: 'Roughmix ü' });
    expect(() => decryptPush(browserKeys(), received.body)).toThrow('unable to authenticate data');
    const { ttl, urgency, topic, 'content-encoding': encoding } = received.headers;
    expect({ ttl, urgency, topic, encoding }).toEqual({ ttl: '86400', urgency: 'high', topic: undefined, encoding: 'aes128gcm' });
  });

  test.each<[environment: NodeJS.ProcessEnv, subject: string]>([
    [{ SUPPORT_EMAIL: 'help@mix.example', PUBLIC_URL: 'https://mix.example' }, 'mailto:help@mix.example'],
    [{ PUBLIC_URL: 'https://mix.example', MAIL_FROM: 'mix@mix.example' }, 'https://mix.example'],
    [{ PUBLIC_URL: 'http://mix.example', MAIL_FROM: 'Roughmix <mix@mix.example>' }, 'mailto:mix@mix.example'],
    [{ PUBLIC_URL: 'http://mix.example', MAIL_FROM: 'mix@mix.example' }, 'mailto:mix@mix.example'],
    [{}, 'mailto:noreply@localhost'],
  ])('with %j is signed for its push service by %s', async (environment, subject) => {
    const sender = await webPush(environment);
    await sender.send(target(), MESSAGE);
    const [received] = await service.messages('/send/1', 1);
    expect(vapidOf(received?.headers ?? {})).toEqual({ claims: { aud: `http://${service.host}`, exp: expect.any(Number), sub: subject }, key: sender.key });
  });
});

describe('the keys', () => {
  test('are generated once, and stay the same as long as the vault', async () => {
    const { key } = await webPush();
    expect(Buffer.from(key, 'base64url')).toHaveLength(65);
    expect((await webPush()).key).toBe(key);
    await stored.remove();
    stored = await temporaryVault();
    expect((await webPush()).key).not.toBe(key);
  });

  test('may be given', async () => {
    const sender = await webPush(RFC.sender);
    await sender.send(target(), MESSAGE);
    const [received] = await service.messages('/send/1', 1);
    expect([sender.key, vapidOf(received?.headers ?? {}).key]).toEqual([RFC.sender.VAPID_PUBLIC_KEY, RFC.sender.VAPID_PUBLIC_KEY]);
  });
});

describe('an answer of the push service', () => {
  const later = (status: number, seconds: number | null = null): PushResult => ({
    outcome: 'retry',
    reason: `the push service answered ${status}`,
    notBefore: seconds === null ? null : clock.now() + seconds * 1_000,
  });
  const refused = (status: number): PushResult => ({ outcome: 'refused', reason: `the push service answered ${status}` });

  test.each<[answer: PushAnswer, result: () => PushResult]>([
    [{ status: 200 }, () => ({ outcome: 'accepted' })],
    [{ status: 404 }, () => ({ outcome: 'gone' })],
    [{ status: 410 }, () => ({ outcome: 'gone' })],
    [{ status: 429 }, () => later(429)],
    [{ status: 429, headers: { 'Retry-After': '120' } }, () => later(429, 120)],
    [{ status: 503, headers: { 'Retry-After': 'Tue, 14 Nov 2023 22:15:20 GMT' } }, () => later(503, 120)],
    [{ status: 503, headers: { 'Retry-After': 'soon' } }, () => later(503)],
    [{ status: 307, headers: { Location: 'http://127.0.0.1/' } }, () => refused(307)],
    [{ status: 400 }, () => refused(400)],
    [{ status: 403 }, () => refused(403)],
    [{ status: 413 }, () => refused(413)],
  ])('%j', async (answer, result) => {
    service.answer = () => answer;
    expect(await (await webPush()).send(target(), MESSAGE)).toEqual(result());
    expect(service.received).toHaveLength(1);
  });

  test('that does not come is a reason to try again', async () => {
    service.answer = () => null;
    const outbound = new Outbound({ mode: 'public', allowed: [service.host], timeoutMs: 200 });
    expect(await (await webPush({}, outbound)).send(target(), MESSAGE)).toEqual({ outcome: 'retry', reason: 'no answer within 200 ms', notBefore: null });
  });
});

test('an endpoint whose address is not public is refused, and with OUTBOUND=none every one', async () => {
  const strict = new Outbound({ mode: 'public', allowed: [], resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  const none = new Outbound({ mode: 'none', allowed: [service.host] });
  const { p256dh, auth } = target();
  const hidden = { endpoint: 'https://push.example.org/planted-path', p256dh, auth };
  expect(await (await webPush({}, strict)).send(hidden, MESSAGE)).toEqual({
    outcome: 'refused',
    reason: 'refused: the host has an address that is not public',
  });
  expect(await (await webPush({}, none)).send(target(), MESSAGE)).toEqual({ outcome: 'refused', reason: 'refused: OUTBOUND is none' });
  expect(service.received).toEqual([]);
});
