import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../kernel/refusal.js';
import { Sessions } from '../platform/auth/sessions.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import { readConfig } from '../platform/config/config.js';
import type { Logger } from '../platform/logger.js';
import { Outbound } from '../platform/outbound/outbound.js';
import { PushQueue } from '../platform/push/push-queue.js';
import { PushSubscriptions } from '../platform/push/push-subscriptions.js';
import { type PushMessage, WebPush } from '../platform/push/web-push.js';
import { ServiceUnavailable } from '../platform/store-errors.js';
import type { Vault } from '../platform/vault/vault.js';
import { PushService } from '../testing/push-service.js';
import { manualClock } from '../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault, withOverride } from '../testing/temporary-vault.js';
import { PushDelivery } from './push-delivery.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PUSH = { uid: 'ana', notificationId: 'news', position: 7 };

let stored: TemporaryVault;
let service: PushService;
let clock: ReturnType<typeof manualClock>;
let queue: PushQueue;
let subscriptions: PushSubscriptions;
let message: PushMessage | null;
let contentError: Error | null;
let logged: string[];
let delivery: PushDelivery;
let sessionId: string;
let deliveryOf: (from: PushQueue) => PushDelivery;

beforeEach(async () => {
  [stored, service, clock, logged] = [await temporaryVault(), await PushService.start(), manualClock(), []];
  [message, contentError] = [{ payload: '{"title":"Roughmix"}', urgency: 'normal' }, null];
  const [keys, outbound] = [await VaultKeys.open(stored.vault, Buffer.alloc(32, 7)), new Outbound({ mode: 'public', allowed: [service.host] })];
  const sessions = new Sessions(stored.vault, clock.now);
  await sessions.declare();
  ({ sessionId } = await sessions.start('ana', false));
  queue = await queueIn(stored.vault);
  const note = (level: string) => (facts: object, text: string) => void logged.push(`${level}: ${text} ${JSON.stringify(facts)}`);
  const log: Logger = { info: note('info'), error: note('error') };
  subscriptions = new PushSubscriptions(stored.vault, clock.now, outbound, keys, log);
  const content = { of: async () => (contentError === null ? message : Promise.reject(contentError)) };
  const webPush = new WebPush(readConfig({}), clock.now, outbound, keys);
  deliveryOf = (from) => new PushDelivery(from, subscriptions, webPush, content, clock.now, log);
  delivery = deliveryOf(queue);
});
afterEach(async () => {
  await service.stop();
  await stored.remove();
});

async function queueIn(vault: Vault): Promise<PushQueue> {
  const opened = new PushQueue(vault, clock.now);
  await opened.onModuleInit();
  return opened;
}

async function subscribe(path: string, session = sessionId): Promise<string> {
  const { endpoint, keys } = service.browser(path);
  return subscriptions.add({ uid: 'ana', isGuest: false, sessionId: session }, { endpoint, ...keys });
}

/** One round of the loop, some milliseconds later. @returns how many messages the push service has received so far */
async function after(milliseconds: number): Promise<number> {
  clock.move(milliseconds);
  for (const push of await queue.due()) await delivery.attempt(push);
  return service.received.length;
}

describe('a message', () => {
  test('is sent once, however often it is queued', async () => {
    const subscription = await subscribe('/a');
    for (let times = 0; times < 2; times += 1) await queue.add(PUSH, [subscription]);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: false, waiting: true });
    expect(await after(0)).toBe(1);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: true, waiting: false });
    await queue.add(PUSH, [subscription]);
    expect(await after(23 * HOUR)).toBe(1);
    expect(logged).toEqual([]);
  });

  test('that its push service cannot take is tried again after ten seconds, a minute and five minutes, then given up', async () => {
    service.answer = () => ({ status: 503 });
    await queue.add(PUSH, [await subscribe('/planted-path')]);
    expect(await after(0)).toBe(1);
    expect([await after(10 * SECOND - 1), await after(1)]).toEqual([1, 2]);
    expect([await after(MINUTE - 1), await after(1)]).toEqual([2, 3]);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: false, waiting: true });
    expect([await after(5 * MINUTE - 1), await after(1)]).toEqual([3, 4]);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: false, waiting: false });
    expect(await after(HOUR)).toBe(4);
    expect(await subscriptions.of('ana')).toHaveLength(1);
    expect(logged.map((line) => line.slice(0, line.indexOf(' {')))).toEqual([
      ...Array.from({ length: 3 }, () => 'info: push message not accepted, trying again'),
      'error: push message not accepted, giving up',
    ]);
    expect(logged.at(-1)).toContain(`"service":"${service.host}","tries":4,"reason":"the push service answered 503"`);
    expect(logged.join()).not.toContain('planted-path');
  });
});

describe('a message that its push service', () => {
  test('wants later waits for as long', async () => {
    service.answer = () => ({ status: 429, headers: { 'Retry-After': '3600' } });
    await queue.add(PUSH, [await subscribe('/a')]);
    expect(await after(0)).toBe(1);
    service.answer = () => ({ status: 201 });
    expect([await after(HOUR - 1), await after(1)]).toEqual([1, 2]);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: true, waiting: false });
  });

  test('wants after a day is given up, like one that waited for a day', async () => {
    service.answer = () => ({ status: 429, headers: { 'Retry-After': '86400' } });
    const subscription = await subscribe('/a');
    await queue.add(PUSH, [subscription]);
    expect(await after(0)).toBe(1);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: false, waiting: false });
    await queue.add({ ...PUSH, notificationId: 'late' }, [subscription]);
    expect(await after(24 * HOUR)).toBe(1);
    expect(await queue.outcomeOf('late')).toEqual({ accepted: false, waiting: false });
  });

  test.each([404, 410])('has no subscription for (%i) ends the subscription', async (status) => {
    service.answer = () => ({ status });
    await queue.add(PUSH, [await subscribe('/a')]);
    expect([await after(0), await after(HOUR)]).toEqual([1, 1]);
    expect(await subscriptions.of('ana')).toEqual([]);
    expect(logged).toEqual([]);
  });

  test('refuses is logged and not tried again, and the subscription stays', async () => {
    service.answer = () => ({ status: 403 });
    await queue.add(PUSH, [await subscribe('/planted-path')]);
    expect([await after(0), await after(HOUR)]).toEqual([1, 1]);
    expect(await subscriptions.of('ana')).toHaveLength(1);
    expect(logged).toEqual([expect.stringMatching(/^error: push message not accepted, giving up .*"tries":1,"reason":"the push service answered 403"/)]);
    expect(logged.join()).not.toContain('planted-path');
  });
});

describe('a waiting message', () => {
  test('that cannot be made is given up', async () => {
    contentError = new Error('broken');
    await queue.add(PUSH, [await subscribe('/a')]);
    expect([await after(0), await after(HOUR)]).toEqual([0, 0]);
    expect(await queue.outcomeOf('news')).toEqual({ accepted: false, waiting: false });
    expect(logged).toEqual([expect.stringMatching(/^error: push message failed, giving up /)]);
  });

  test('goes on waiting while read models are not served', async () => {
    contentError = new Refused('store.away');
    await queue.add(PUSH, [await subscribe('/a')]);
    for (let times = 0; times < 10; times += 1) await expect(after(MINUTE)).rejects.toThrow(Refused);
    contentError = null;
    expect([await after(MINUTE), logged]).toEqual([1, []]);
  });

  test('is not sent once its notification was read, or its browser has unsubscribed', async () => {
    service.answer = () => ({ status: 503 });
    const subscription = await subscribe('/a');
    for (const notificationId of ['read', 'news']) await queue.add({ ...PUSH, notificationId }, [subscription]);
    expect(await after(0)).toBe(2);
    clock.move(10 * SECOND);
    const [news, read] = await queue.due();
    if (read === undefined || news === undefined) throw new Error('nothing is due');
    message = null;
    await delivery.attempt(read);
    message = { payload: '{}', urgency: 'normal' };
    await subscriptions.remove('ana', `http://${service.host}/a`);
    await delivery.attempt(news);
    expect([service.received.length, await after(HOUR)]).toEqual([2, 2]);
  });
});

test('a notification is pushed to each browser, and counts as accepted with the first that accepts it', async () => {
  service.answer = (path) => ({ status: path === '/a' ? 503 : 201 });
  const other = await new Sessions(stored.vault, clock.now).start('ana', false);
  await queue.add(PUSH, [await subscribe('/a'), await subscribe('/b', other.sessionId)]);
  expect(await after(0)).toBe(2);
  expect(await queue.outcomeOf('news')).toEqual({ accepted: true, waiting: true });
});

test('while the vault cannot store results, a message is sent four times at most, ten seconds apart', async () => {
  const broken = withOverride(stored.vault, 'replace', async (...record: Parameters<Vault['replace']>) =>
    record[3]['state'] === 'waiting' ? stored.vault.replace(...record) : Promise.reject(new ServiceUnavailable('away')),
  );
  await queue.add(PUSH, [await subscribe('/a')]);
  const cut = deliveryOf(await queueIn(broken));
  const round = async (milliseconds: number): Promise<number> => {
    clock.move(milliseconds);
    for (const push of await queue.due()) await cut.attempt(push).catch(() => undefined);
    return service.received.length;
  };
  const counts: number[] = [];
  for (const wait of [0, 0, ...Array.from({ length: 6 }, () => 10 * SECOND)]) counts.push(await round(wait));
  expect(counts).toEqual([1, 1, 2, 3, 4, 4, 4, 4]);
});

test('two hundred messages of a user wait at most; other users are not affected', async () => {
  for (let count = 0; count < 200; count += 1) expect(await queue.add({ ...PUSH, notificationId: `news${count}` }, ['one'])).toBe(true);
  expect(await queue.add({ ...PUSH, notificationId: 'more' }, ['one'])).toBe(false);
  expect(await queue.add({ uid: 'bob', notificationId: 'bobs', position: 7 }, ['two'])).toBe(true);
});

test('the status counts waiting messages and how late the oldest due one is; the sweep forgets those of more than a day ago', async () => {
  expect(await queue.status()).toEqual({ waiting: 0, behindSeconds: 0 });
  await queue.add(PUSH, ['one', 'two']);
  clock.move(90 * SECOND);
  expect(await queue.status()).toEqual({ waiting: 2, behindSeconds: 90 });
  clock.move(24 * HOUR);
  await queue.sweep();
  expect((await queue.status()).waiting).toBe(2);
  clock.move(HOUR);
  await queue.sweep();
  expect(await stored.vault.find('pushes', {})).toEqual([]);
});
