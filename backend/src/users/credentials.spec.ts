import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Refused } from '../kernel/refusal.js';
import { LinkTokens } from '../platform/auth/link-tokens.js';
import { ResetLinks } from '../platform/auth/reset-links.js';
import { Sessions } from '../platform/auth/sessions.js';
import { EmailQueue } from '../platform/mail/email-queue.js';
import { ServiceUnavailable } from '../platform/store-errors.js';
import { throttleOf } from '../testing/throttle-fixture.js';
import { withOverride } from '../testing/temporary-vault.js';
import { openUsersFixture, type UsersFixture, type UsersProcess } from '../testing/users-fixture.js';
import { AccountAccess } from './account-access.js';
import type { Account } from './account-records.js';
import { Credentials } from './credentials.js';
import { PasswordChanges } from './password-changes.js';
import { PasswordResets } from './password-resets.js';
import { SecurityNotices } from './security-notices.js';

const ana = { email: 'ana@example.org', password: 'tape-hiss-and-rain' };
const CHOSEN = 'brushes-on-a-snare';
let world: UsersFixture;
let people: UsersProcess;
let sessions: Sessions;
let links: LinkTokens;
let emailQueue: EmailQueue;
let credentials: Credentials;
let uid: string;

beforeEach(async () => {
  world = await openUsersFixture();
  people = world.process();
  sessions = new Sessions(world.vault, world.clock.now);
  await sessions.declare();
  emailQueue = await EmailQueue.open({ vault: world.vault, clock: world.clock.now, addressKey: Buffer.from('key'), files: null });
  links = new LinkTokens(world.vault, world.clock.now, emailQueue, await throttleOf(world.vault, world.clock.now));
  await links.declare();
  credentials = credentialsOf(people);
  uid = (await people.registrations.register(ana)).uid;
});
afterEach(() => world.remove());

const CONFIG = { PUBLIC_URL: 'https://mix.example', PORT: 1, PASSWORD_RESET_DISCREET: 'false' } as const;
const changesOf = ({ accounts }: UsersProcess, vault = world.vault): PasswordChanges =>
  new PasswordChanges(accounts, new AccountAccess(vault === world.vault ? sessions : new Sessions(vault, world.clock.now), links), world.clock.now);
const credentialsOf = (process: UsersProcess, changes = changesOf(process)): Credentials => {
  const { accounts, passwords } = process;
  const notices = new SecurityNotices(accounts, emailQueue, world.clock.now, CONFIG);
  return new Credentials(accounts, passwords, changes, notices);
};
const resetsOf = (process: UsersProcess, changes = changesOf(process)): PasswordResets =>
  new PasswordResets(process.accounts, credentialsOf(process, changes), links, new ResetLinks(links, emailQueue, CONFIG));
const proven = (): Promise<boolean> => Promise.resolve(true);
const stored = async (): Promise<Account> => {
  const found = await people.accounts.get(uid);
  if (found === null) throw new Error('the account is gone');
  return found.body;
};
const opensWith = async (password: string): Promise<boolean> => people.passwords.matches((await stored()).passwordHash, password);
const refusal = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'done',
    (error: Refused) => [error.code, error.extras?.field],
  );

test('a changed password replaces the old one and ends all sessions but the one to keep', async () => {
  const [kept, other] = [await sessions.start(uid, false), await sessions.start(uid, false)];
  await credentials.setPassword(uid, CHOSEN, { keep: kept.sessionId });
  expect([await opensWith(CHOSEN), await opensWith(ana.password), (await stored()).resets]).toEqual([true, false, undefined]);
  expect(await sessions.find(kept.token)).toMatchObject({ uid });
  expect(await sessions.find(other.token)).toBeNull();
});

test('a reset password ends every session and device cookie', async () => {
  const { token } = await sessions.start(uid, false);
  await credentials.resetPassword(uid, 'rim-shots-at-dawn', proven);
  await credentials.resetPassword(uid, CHOSEN, proven);
  expect([await opensWith(CHOSEN), await sessions.find(token), (await stored()).resets]).toEqual([true, null, 2]);
});

test('every change ends all e-mailed links and tells the user', async () => {
  const linksLeft = async (): Promise<readonly string[]> => {
    const kinds: string[] = [];
    for (const { body } of await world.vault.find<{ kind: string; hash: string }>('link-tokens', {})) if (body.hash !== 'none') kinds.push(body.kind);
    return kinds;
  };
  const notices = async (): Promise<number> => (await emailQueue.waiting()).length;
  const changes: readonly (() => Promise<void>)[] = [
    async () => credentials.changeFrom(await stored(), CHOSEN, { keep: null }),
    () => credentials.resetPassword(uid, CHOSEN, proven),
    () => credentials.setPassword(uid, 'rim-shots-at-dawn', { keep: null }),
  ];
  const outcomes: unknown[] = [];
  for (const change of changes) {
    for (const kind of ['reset', 'invite'] as const) await links.issue(kind, uid, { validMs: 60_000 });
    await change();
    outcomes.push([await linksLeft(), await notices()]);
  }
  expect(outcomes).toEqual([
    [[], 1],
    [[], 2],
    [[], 3],
  ]);
  const [first] = (await emailQueue.waiting()).map((each) => emailQueue.open(each)?.body);
  expect(first).toMatchObject({
    to: ana.email,
    uid,
    subject: 'Your password was changed',
    text: expect.stringContaining('\nhttps://mix.example/passwordReset\n'),
  });
});

describe('refused, without ending a session:', () => {
  test.each<[what: string, password: string, code: string]>([
    ['the current password', ana.password, 'password.unchanged'],
    ['a short password', 'x'.repeat(7), 'password.too-short'],
    ['a long password', 'x-'.repeat(65), 'password.too-long'],
    ['a common password', 'password', 'password.too-common'],
    ['a space', 'tide and reef', 'password.space'],
    ['an ideographic space', 'tide\u3000and-reef', 'password.space'],
    ['a next-line character', 'tide\u0085and-reef', 'password.space'],
  ])('%s', async (_what, password, code) => {
    const { token } = await sessions.start(uid, false);
    expect(await refusal(credentials.setPassword(uid, password, { keep: null }))).toEqual([code, 'newPassword']);
    expect([await sessions.find(token), await opensWith(ana.password)]).toMatchObject([{ uid }, true]);
  });

  test('a change that another change overtook', async () => {
    const [winner, loser] = [await sessions.start(uid, false), await sessions.start(uid, false)];
    const before = await stored();
    await credentials.setPassword(uid, CHOSEN, { keep: winner.sessionId });
    const losing = credentials.changeFrom(before, 'rim-shots-at-dawn', { keep: loser.sessionId });
    expect(await refusal(losing)).toEqual(['password.incorrect', 'currentPassword']);
    expect([await opensWith(CHOSEN), await sessions.find(winner.token)]).toMatchObject([true, { uid }]);
  });

  test('the guest, a locked account and nobody', async () => {
    await people.registrations.ensureGuest();
    await people.accounts.lock(uid);
    const guest = (await people.accounts.holderOf('')) ?? { id: 'guest' };
    for (const each of [uid, guest.id, 'nobody']) expect(await refusal(credentials.resetPassword(each, CHOSEN, proven))).toEqual(['auth.required', undefined]);
  });
});

test('an account without a password can be given one', async () => {
  const found = await people.accounts.get(uid);
  if (found !== null) await people.accounts.change(found, { passwordHash: '' });
  await credentials.setPassword(uid, ana.password, { keep: null });
  expect([await opensWith(ana.password), await emailQueue.waiting()]).toEqual([true, []]);
});

test('a welcome form that is completed after a crash tells the user, too', async () => {
  await credentials.completeSetting(uid, { keep: null });
  expect((await emailQueue.waiting()).map((each) => emailQueue.open(each)?.body.subject)).toEqual(['Your password was changed']);
});

test('an invite link is ended before the sessions are, so that none it starts survives', async () => {
  const { token } = (await links.issue('invite', uid, { validMs: 60_000 })) ?? { token: '' };
  let isValid: boolean | undefined;
  const vault = withOverride(world.vault, 'removeWhere', async (...records) => {
    isValid = (await links.find('invite', token)) !== null;
    return world.vault.removeWhere(...records);
  });
  await credentialsOf(people, changesOf(people, vault)).changeFrom(await stored(), CHOSEN, { keep: null });
  expect(isValid).toBe(false);
});

test('a session that starts while the password is being stored is ended', async () => {
  let late = { token: '' };
  const vault = withOverride(world.vault, 'replace', async (collection, id, version, body) => {
    if (collection === 'accounts' && late.token === '') late = await sessions.start(uid, false);
    return world.vault.replace(collection, id, version, body);
  });
  await credentialsOf(world.process(vault)).setPassword(uid, CHOSEN, { keep: null });
  expect([late.token === '', await sessions.find(late.token)]).toEqual([false, null]);
});

describe('a reset', () => {
  const issue = async (): Promise<string> => (await links.issue('reset', uid, { validMs: 60_000 }))?.token ?? '';
  const isLinkValid = async (token: string): Promise<boolean> => (await links.find('reset', token)) !== null;
  const failure = new ServiceUnavailable('away');

  test('that cannot be stored leaves the link, the sessions and the password as they were', async () => {
    const [token, session] = [await issue(), await sessions.start(uid, false)];
    const vault = withOverride(world.vault, 'replace', (collection, ...change) =>
      collection === 'accounts' ? Promise.reject(failure) : world.vault.replace(collection, ...change),
    );
    await expect(resetsOf(world.process(vault)).reset(token, CHOSEN, '::1')).rejects.toBe(failure);
    expect([await opensWith(ana.password), await isLinkValid(token), await sessions.find(session.token)]).toMatchObject([true, true, { uid }]);
    expect(await resetsOf(people).reset(token, CHOSEN, '::1')).toBe(uid);
    expect([await opensWith(CHOSEN), await isLinkValid(token), await sessions.find(session.token)]).toEqual([true, false, null]);
  });

  test('that fails once the password is stored can be sent again, but not with another password', async () => {
    const [token, session] = [await issue(), await sessions.start(uid, false)];
    const vault = withOverride(world.vault, 'removeWhere', () => Promise.reject(failure));
    await expect(resetsOf(people, changesOf(people, vault)).reset(token, CHOSEN, '::1')).rejects.toBe(failure);
    expect(await refusal(resetsOf(people).reset(token, 'rim-shots-at-dawn', '::1'))).toEqual(['reset.spent', undefined]);
    expect(await resetsOf(people).reset(token, CHOSEN, '::1')).toBe(uid);
    expect([await opensWith(CHOSEN), await isLinkValid(token), await sessions.find(session.token)]).toEqual([true, false, null]);
    expect(await refusal(resetsOf(people).reset(token, CHOSEN, '::1'))).toEqual(['reset.spent', undefined]);
  });

  test('that was interrupted once the password is stored is completed after a minute, or by the next start of a single process', async () => {
    const vault = withOverride(world.vault, 'removeWhere', () => Promise.reject(failure));
    const isLeft: boolean[] = [];
    for (const everything of [false, true]) {
      const [token, session] = [await issue(), await sessions.start(uid, false)];
      await expect(resetsOf(people, changesOf(people, vault)).reset(token, `${CHOSEN}-${everything}`, '::1')).rejects.toBe(failure);
      const before = await world.vault.get('sessions', session.sessionId);
      if (!everything) {
        await changesOf(people).completeInterrupted(everything);
        isLeft.push((await world.vault.get('sessions', session.sessionId)) !== null);
        world.clock.move(60_000);
      }
      await changesOf(people).completeInterrupted(everything);
      isLeft.push(before !== null, (await world.vault.get('sessions', session.sessionId)) !== null, await isLinkValid(token));
    }
    expect(isLeft).toEqual([true, true, false, false, true, false, false]);
    expect((await world.vault.range('accounts', { field: 'endingSince', from: 1, to: world.clock.now() })).length).toBe(0);
  });
});
