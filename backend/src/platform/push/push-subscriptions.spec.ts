import { createECDH, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault, withOverride } from '../../testing/temporary-vault.js';
import { Sessions } from '../auth/sessions.js';
import { VaultKeys } from '../auth/vault-keys.js';
import type { Caller } from '../http/caller.js';
import { Outbound } from '../outbound/outbound.js';
import type { Vault } from '../vault/vault.js';
import { PushSubscriptions, type PushTarget } from './push-subscriptions.js';

const DAY_MS = 24 * 60 * 60_000;
const MASTER_KEY = Buffer.alloc(32, 7);

let stored: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let sessions: Sessions;
let subscriptions: PushSubscriptions;
let errors: string[];

const log = { info: () => undefined, error: (facts: object, message: string): void => void errors.push(`${message} ${JSON.stringify(facts)}`) };

const subscriptionsIn = async (vault: Vault): Promise<PushSubscriptions> =>
  new PushSubscriptions(vault, clock.now, new Outbound({ mode: 'public', allowed: [] }), await VaultKeys.open(stored.vault, MASTER_KEY), log);

beforeEach(async () => {
  stored = await temporaryVault();
  clock = manualClock();
  errors = [];
  sessions = new Sessions(stored.vault, clock.now);
  await sessions.declare();
  subscriptions = await subscriptionsIn(stored.vault);
});
afterEach(() => stored.remove());

const at = (path: string): PushTarget => ({
  endpoint: `https://push.example.org/${path}`,
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});
const signIn = async (uid: string): Promise<Caller> => ({ uid, isGuest: false, sessionId: (await sessions.start(uid, false)).sessionId });
const endpointsOf = async (uid: string): Promise<readonly string[]> => (await subscriptions.of(uid)).map(({ endpoint }) => endpoint).toSorted();

test('a subscription has its endpoint and keys, and an id that follows from the endpoint', async () => {
  const target = at('a');
  const id = await subscriptions.add(await signIn('ana'), target);
  expect(await subscriptions.of('ana')).toEqual([{ id, ...target }]);
  expect(id).toMatch(/^[A-Za-z0-9_]{21,36}$/);
  expect(await subscriptions.add(await signIn('ana'), at('a'))).toBe(id);
});

test('endpoint and keys are sealed in the vault', async () => {
  const target = at('planted-path');
  await subscriptions.add(await signIn('ana'), target);
  const bytes = `${await readFile(join(stored.folder, 'vault.db'), 'latin1')}${await readFile(join(stored.folder, 'vault.db-wal'), 'latin1')}`;
  for (const secret of ['planted-path', target.p256dh, target.auth]) expect(bytes).not.toContain(secret);
});

test('one that cannot be decrypted ends, and the user keeps the others', async () => {
  const [changed, sound] = [await signIn('ana'), await signIn('ana')];
  const id = await subscriptions.add(changed, at('changed'));
  await subscriptions.add(sound, at('sound'));
  const session = await stored.vault.get<{ push: object }>('sessions', changed.sessionId);
  await stored.vault.put('sessions', changed.sessionId, { ...session?.body, push: { ...session?.body.push, sealed: 'changed' } });
  for (let times = 0; times < 2; times += 1) expect(await endpointsOf('ana')).toEqual(['https://push.example.org/sound']);
  expect((await stored.vault.get('sessions', changed.sessionId))?.body).not.toHaveProperty('push');
  expect(errors).toEqual([`push subscription ended: it cannot be decrypted ${JSON.stringify({ subscription: id })}`]);
});

describe('a subscription ends with its session', () => {
  test.each<[how: string, end: (caller: Caller) => Promise<void>]>([
    ['by signing out', ({ sessionId }) => sessions.end(sessionId)],
    ['ended with all others of the user', ({ uid }) => sessions.endAllOf(uid)],
    ['ended with all but another one', ({ uid }) => sessions.endAllOf(uid, 'another')],
    ['after thirty days without use', async () => clock.move(30 * DAY_MS)],
    [
      'as one of more than fifty',
      async ({ uid }) => {
        clock.move(1);
        for (let count = 0; count < 50; count += 1) await sessions.start(uid, false);
      },
    ],
  ])('%s', async (_how, end) => {
    const caller = await signIn('ana');
    await subscriptions.add(caller, at('a'));
    await end(caller);
    expect(await subscriptions.of('ana')).toEqual([]);
  });

  test('that has just ended', async () => {
    const caller = await signIn('ana');
    await sessions.end(caller.sessionId);
    await expect(subscriptions.add(caller, at('a'))).rejects.toMatchObject({ code: 'auth.required' });
    expect(await stored.vault.find('sessions', {})).toEqual([]);
  });
});

describe('a session whose id is renewed keeps it', () => {
  test('and it still ends with the session', async () => {
    const caller = await signIn('ana');
    await subscriptions.add(caller, at('a'));
    const renamed = await sessions.rename(caller.sessionId);
    expect(await endpointsOf('ana')).toEqual(['https://push.example.org/a']);
    await sessions.end(renamed?.sessionId ?? '');
    expect(await endpointsOf('ana')).toEqual([]);
  });

  test('even one that was sent meanwhile', async () => {
    const caller = await signIn('ana');
    const slow = withOverride(stored.vault, 'insert', async (...record: Parameters<Vault['insert']>) => {
      await subscriptions.add(caller, at('a'));
      return stored.vault.insert(...record);
    });
    await new Sessions(slow, clock.now).rename(caller.sessionId);
    expect(await endpointsOf('ana')).toEqual(['https://push.example.org/a']);
    expect(await stored.vault.find('sessions', {})).toHaveLength(1);
  });

  test('once, even if the program was killed in between', async () => {
    const caller = await signIn('ana');
    await subscriptions.add(caller, at('a'));
    const killed = withOverride(stored.vault, 'remove', () => Promise.reject(new Error('killed')));
    await expect(new Sessions(killed, clock.now).rename(caller.sessionId)).rejects.toThrow('killed');
    expect(await stored.vault.find('sessions', {})).toHaveLength(2);
    expect(await endpointsOf('ana')).toEqual(['https://push.example.org/a']);
  });
});

test('a session has one subscription: a new endpoint replaces it', async () => {
  const caller = await signIn('ana');
  for (const path of ['a', 'b']) await subscriptions.add(caller, at(path));
  expect(await endpointsOf('ana')).toEqual(['https://push.example.org/b']);
});

test('an endpoint belongs to the session that sent it last, of any user', async () => {
  const [ana, bob] = [await signIn('ana'), await signIn('bob')];
  await subscriptions.add(ana, at('a'));
  clock.move(1);
  await subscriptions.add(bob, at('a'));
  expect([await endpointsOf('ana'), await endpointsOf('bob')]).toEqual([[], ['https://push.example.org/a']]);
  await sessions.end(ana.sessionId);
  expect(await endpointsOf('bob')).toEqual(['https://push.example.org/a']);
});

test('of two sessions that send an endpoint at once, one has it', async () => {
  const callers = [await signIn('ana'), await signIn('bob')];
  await Promise.all(callers.map((caller) => subscriptions.add(caller, at('a'))));
  expect([...(await endpointsOf('ana')), ...(await endpointsOf('bob'))]).toEqual(['https://push.example.org/a']);
});

test('a user has at most twenty: the one that was sent first is dropped', async () => {
  await subscriptions.add(await signIn('bob'), at('b'));
  for (let count = 0; count < 21; count += 1) {
    clock.move(1);
    await subscriptions.add(await signIn('ana'), at(String(count)));
  }
  const endpoints = await endpointsOf('ana');
  expect([endpoints.length, endpoints.includes('https://push.example.org/0')]).toEqual([20, false]);
  expect(await endpointsOf('bob')).toEqual(['https://push.example.org/b']);
});

test('a user ends their own subscriptions only, and a push service any', async () => {
  await subscriptions.add(await signIn('ana'), at('a'));
  await subscriptions.remove('bob', 'https://push.example.org/a');
  await subscriptions.remove('ana', 'https://push.example.org/b');
  expect(await endpointsOf('ana')).toEqual(['https://push.example.org/a']);
  await subscriptions.remove('ana', 'https://push.example.org/a');
  expect(await endpointsOf('ana')).toEqual([]);
  await subscriptions.forget(await subscriptions.add(await signIn('ana'), at('c')));
  expect(await endpointsOf('ana')).toEqual([]);
});
