import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { throttleOf } from '../../testing/throttle-fixture.js';
import { manualClock } from '../../testing/manual-clock.js';
import { type TemporaryVault, temporaryVault } from '../../testing/temporary-vault.js';
import { EmailQueue } from '../mail/email-queue.js';
import { InviteLinks } from './invite-links.js';
import { type IssuedLink, type LinkKind, LinkTokens } from './link-tokens.js';

const HOUR_MS = 60 * 60_000;

let temporary: TemporaryVault;
let clock: ReturnType<typeof manualClock>;
let emailQueue: EmailQueue;
let links: LinkTokens;

beforeEach(async () => {
  temporary = await temporaryVault();
  clock = manualClock();
  emailQueue = await EmailQueue.open({ vault: temporary.vault, clock: clock.now, addressKey: Buffer.from('key'), files: null });
  links = new LinkTokens(temporary.vault, clock.now, emailQueue, await throttleOf(temporary.vault, clock.now));
  await links.declare();
});
afterEach(() => temporary.remove());

async function issue(uid = 'ana', kind: LinkKind = 'reset'): Promise<IssuedLink> {
  const issued = await links.issue(kind, uid, { validMs: HOUR_MS, perHour: 3 });
  if (issued === null) throw new Error('no link was issued');
  return issued;
}
const finds = async ({ token }: IssuedLink, kind: LinkKind = 'reset'): Promise<string | null> => (await links.find(kind, token))?.body.uid ?? null;
const records = (): Promise<readonly { readonly id: string }[]> => temporary.vault.find('link-tokens', {});

test('a token has 256 bits and is stored as a hash only', async () => {
  const { token } = await issue();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(JSON.stringify(await records())).not.toContain(token);
});

test('a link is valid until it expires, for its kind and its user', async () => {
  const link = await issue();
  const other = await issue('bob');
  expect([await finds(link), await finds(other), await finds(link, 'invite')]).toEqual(['ana', 'bob', null]);
  clock.move(HOUR_MS - 1);
  expect(await finds(link)).toBe('ana');
  clock.move(1);
  expect(await finds(link)).toBeNull();
});

test('a newer link replaces the earlier one and withdraws its e-mail', async () => {
  const first = await issue();
  await emailQueue.enqueue({ to: 'ana@example.org', subject: 'Reset', text: first.token, key: first.emailKey });
  const second = await issue();
  expect([await finds(first), await finds(second)]).toEqual([null, 'ana']);
  expect(await emailQueue.waiting()).toEqual([]);
});

test('of concurrent requests for links one is the last: only its link is valid', async () => {
  const issued = await Promise.all([issue(), issue(), issue()]);
  const valid = (await Promise.all(issued.map((link) => finds(link)))).filter((uid) => uid !== null);
  expect(valid).toEqual(['ana']);
});

test('beyond three in an hour no link is issued, and the last one stays valid', async () => {
  await issue();
  clock.move(1);
  await issue();
  const third = await issue();
  expect(await links.issue('reset', 'ana', { validMs: HOUR_MS, perHour: 3 })).toBeNull();
  expect(await finds(third)).toBe('ana');
  clock.move(HOUR_MS - 1);
  expect(await finds(await issue())).toBe('ana');
  expect(await links.issue('reset', 'ana', { validMs: HOUR_MS, perHour: 3 })).toBeNull();
});

test('revoking ends a link of one kind; forgetting deletes all of a user', async () => {
  const [reset, invite, other] = [await issue(), await issue('ana', 'invite'), await issue('bob')];
  await links.revoke('reset', 'ana');
  await links.revoke('reset', 'nobody');
  expect([await finds(reset), await finds(invite, 'invite')]).toEqual([null, 'ana']);
  await links.forget('ana');
  expect((await records()).map(({ id }) => id)).toEqual(['reset:bob']);
  expect(await finds(other)).toBe('bob');
});

test('all links of a user but one kind can be revoked together, with the e-mails that carry them', async () => {
  const invites = new InviteLinks(links, emailQueue, { PUBLIC_URL: 'https://mix.example', PORT: 1 });
  const [reset, other] = [await issue(), await issue('bob', 'invite')];
  await invites.send('ana', 'ana@example.org');
  await links.revokeAllBut('reset', 'ana');
  const invite = await temporary.vault.get('link-tokens', 'invite:ana');
  expect([invite?.body['hash'], await emailQueue.waiting()]).toEqual(['none', []]);
  expect([await finds(reset), await finds(other, 'invite')]).toEqual(['ana', 'bob']);
});

test('records are swept once the link has expired and the hour of its limit is over', async () => {
  await issue();
  await links.issueNone('reset');
  await links.revoke('reset', 'ana');
  await links.sweep();
  expect((await records()).map(({ id }) => id)).toEqual(['reset:ana']);
  clock.move(HOUR_MS);
  await links.sweep();
  expect(await records()).toEqual([]);
});

test('an invite link is e-mailed below PUBLIC_URL and stays valid for seven days or until it is revoked', async () => {
  const invites = new InviteLinks(links, emailQueue, { PUBLIC_URL: 'https://mix.example', PORT: 1 });
  await invites.send('ana', 'ana@example.org');
  const [waiting] = (await emailQueue.waiting()).map((each) => emailQueue.open(each)?.body);
  const token = /^https:\/\/mix\.example\/invite\/([\w-]{43})$/m.exec(waiting?.text ?? '')?.[1] ?? '';
  expect(waiting).toMatchObject({ to: 'ana@example.org', uid: 'ana', expiresAt: clock.now() + 7 * 24 * HOUR_MS });
  expect((await links.find('invite', token))?.body.uid).toBe('ana');
  await links.revoke('invite', 'ana');
  expect([await links.find('invite', token), await emailQueue.waiting()]).toEqual([null, []]);
});
