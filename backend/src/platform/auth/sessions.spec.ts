import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { withOverride, temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { DiskFull } from '../store-errors.js';
import { sessionCookie } from './session-cookie.js';
import { Sessions, tokenOf } from './sessions.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
let stored: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let here: Sessions;
let elsewhere: Sessions;

beforeEach(async () => {
  stored = await temporaryVault();
  clock = manualClock();
  here = new Sessions(stored.vault, clock.now);
  elsewhere = new Sessions(stored.vault, clock.now);
  await here.declare();
});
afterEach(() => stored.remove());

describe('a session', () => {
  test('is found by its token, of which only a hash is stored', async () => {
    const { token, sessionId } = await here.start('ana', false);
    expect(await here.find(token)).toEqual({ uid: 'ana', isGuest: false, sessionId });
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(await stored.vault.find('sessions', {}))).not.toContain(token);
    expect(await here.find(sessionId)).toBeNull();
  });

  test('of the guest is marked as such', async () => {
    const { token } = await here.start('guest', true);
    expect((await here.find(token))?.isGuest).toBe(true);
  });

  test('expires thirty days after its last use', async () => {
    const { token } = await here.start('ana', false);
    clock.move(29 * DAY_MS);
    expect(await here.use(token)).toMatchObject({ renewed: true });
    clock.move(29 * DAY_MS);
    expect(await elsewhere.find(token)).not.toBeNull();
    clock.move(30 * DAY_MS);
    expect(await here.find(token)).toBeNull();
  });

  test('ends at once in the process that ended it, and within five seconds in others', async () => {
    const { token, sessionId } = await here.start('ana', false);
    await here.find(token);
    await elsewhere.find(token);
    await here.end(sessionId);
    expect(await here.find(token)).toBeNull();
    clock.move(5_000);
    expect(await elsewhere.find(token)).toBeNull();
  });

  test('that ends while it is read is not found', async () => {
    const { token, sessionId } = await here.start('ana', false);
    let ended = false;
    const slow: Sessions = new Sessions(
      withOverride(stored.vault, 'get', async (collection: string, id: string) => {
        const found = await stored.vault.get(collection, id);
        if (!ended) await slow.end(sessionId);
        ended = true;
        return found;
      }),
      clock.now,
    );
    expect(await slow.find(token)).toBeNull();
  });

  test('that has ended is not revived by a renewal', async () => {
    const { token, sessionId } = await here.start('ana', false);
    clock.move(2 * HOUR_MS);
    await elsewhere.end(sessionId);
    await here.find(token);
    expect(await stored.vault.find('sessions', {})).toEqual([]);
  });

  test('stays valid while the disk is full', async () => {
    const { token } = await here.start('ana', false);
    clock.move(2 * HOUR_MS);
    const full = withOverride(stored.vault, 'replace', () => Promise.reject(new DiskFull('full')));
    expect(await new Sessions(full, clock.now).use(token)).toMatchObject({ caller: { uid: 'ana' }, renewed: false });
  });
});

test('all sessions of a user end together, and listeners receive each', async () => {
  const ended: string[] = [];
  const mine = [await here.start('ana', false), await here.start('ana', false)];
  const other = await here.start('bob', false);
  const stop = here.onEnded((sessionId) => ended.push(sessionId));
  await here.endAllOf('ana');
  expect(ended.toSorted()).toEqual(mine.map(({ sessionId }) => sessionId).toSorted());
  for (const { token } of mine) expect(await here.find(token)).toBeNull();
  stop();
  await here.end(other.sessionId);
  expect(ended).toHaveLength(2);
});

test('a user has at most fifty sessions: the least recently used one ends, and other users keep theirs', async () => {
  const other = await here.start('bob', false);
  const first = await here.start('ana', false);
  clock.move(2 * HOUR_MS);
  const second = await here.start('ana', false);
  clock.move(2 * HOUR_MS);
  await here.find(first.token);
  for (let count = 2; count < 51; count += 1) await here.start('ana', false);
  expect(await here.find(second.token)).toBeNull();
  expect(await here.find(first.token)).not.toBeNull();
  expect(await here.find(other.token)).not.toBeNull();
  expect(await stored.vault.find('sessions', { field: 'uid', value: 'ana' })).toHaveLength(50);
});

test('the sweep removes expired sessions only', async () => {
  await here.start('ana', false);
  clock.move(20 * DAY_MS);
  const { sessionId } = await here.start('bob', false);
  clock.move(10 * DAY_MS);
  await here.sweep();
  expect((await stored.vault.find('sessions', {})).map(({ id }) => id)).toEqual([sessionId]);
});

describe('the token of a request', () => {
  test.each<[headers: Record<string, string>, publicUrl: string | null, token: string | null, bearer: boolean]>([
    [{}, null, null, false],
    [{ cookie: 'roughmix_session=abc' }, null, 'abc', false],
    [{ cookie: 'a=b; roughmix_session=abc; c=d' }, 'http://localhost:3000', 'abc', false],
    [{ cookie: 'roughmix_session=abc' }, 'https://mix.example', null, false],
    [{ cookie: '__Host-roughmix_session=abc' }, 'https://mix.example', 'abc', false],
    [{ cookie: 'toString=abc' }, null, null, false],
    [{ authorization: 'Bearer xyz', cookie: 'roughmix_session=abc' }, null, 'xyz', true],
    [{ authorization: 'bearer xyz' }, null, 'xyz', true],
    [{ authorization: 'Bearer', cookie: 'roughmix_session=abc' }, null, null, true],
    [{ authorization: 'Basic xyz', cookie: 'roughmix_session=abc' }, null, 'abc', false],
  ])('%j at %s', (headers, publicUrl, token, bearer) => {
    expect(tokenOf(headers, publicUrl)).toEqual({ token, bearer });
  });
});

test('over TLS the cookie is bound to the host and sent only over TLS', () => {
  expect(sessionCookie('abc', 'https://mix.example')).toBe('__Host-roughmix_session=abc; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax');
});
