import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { PASSWORD, type Person } from '../testing/app.js';
import { type MailingApp, PUBLIC_URL, startMailingApp } from '../testing/mailing-app.js';
import { recordId, TIMERS } from '../platform/timers/timer-records.js';
import { RESTORES } from '../platform/vault/last-restore.js';
import { markAsRead, newest } from '../testing/notification-calls.js';
import { outboxEmails } from '../testing/outbox.js';
import { aProjectWith, comment, openPage } from '../testing/project-over-http.js';
import type { ReadEmail } from '../testing/read-email.js';
import { bodyOf } from '../testing/test-client.js';
import { DIGEST_TIMERS } from './digest-timers.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** 08:00 in Berlin on the day after the clock's start. */
const MORNING = Date.parse('2023-11-15T07:00:00Z');
const BOB = 'bob.tester@example.org';

let mail: MailingApp;
let ana: Person;
let bob: Person;
let projectId: string;

const turn = async (who: Person, digest: boolean): Promise<void> =>
  void bodyOf(await who.put(USER_PATHS.user(who.uid), { settings: { mailNotifs: { digest } } }));
const signIn = async (timeZone: string): Promise<void> =>
  void bodyOf(await mail.app.anonymous.post(USER_PATHS.login, { email: BOB, password: PASSWORD, timeZone }));
const say = async (content: string): Promise<string> => (await newest(bob, 'CommentAdded', (await comment(ana, projectId, { content }))._id))._id;
/** Bob's digest on a day, counted from the first; it is set from the one before. */
const moveToDay = (day: number, hours = 0): Promise<void> => mail.moveTo(MORNING + day * DAY + hours * HOUR, DIGEST_TIMERS);
const nextIsOnDay = (day: number): ReturnType<MailingApp['timerAt']> => mail.timerAt(DIGEST_TIMERS, bob.uid, MORNING + day * DAY);
const digests = async (): Promise<readonly ReadEmail[]> => (await mail.emails()).filter(({ headers }) => headers['subject']?.startsWith('Your digest'));
const linesOf = (text = ''): string => text.replaceAll('\r\n', '\n');

beforeAll(async () => {
  mail = await startMailingApp();
  [ana, bob] = await mail.app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  await openPage(bob, projectId);
  await signIn('Europe/Berlin');
  await say('Before the digest');
});
afterAll(() => mail.app.stop());

test('is off at first; once on, it is sent at 08:00 in the user’s time zone with what became unread since', async () => {
  await mail.app.reactorsIdle();
  expect(await mail.timer(DIGEST_TIMERS, bob.uid)).toBeNull();
  await turn(bob, true);
  await nextIsOnDay(0);
  await say('Louder <b>here</b>');
  const read = await say('Read by then');
  const { _id } = await comment(ana, projectId, { content: '%MENTION_Bob Tester_END% softer' });
  await newest(bob, 'CommentTaggedUser', _id);
  bodyOf(await markAsRead(bob, [read]));
  bodyOf(await ana.put(USER_PATHS.user(ana.uid), { firstName: 'Anouk' }));
  await moveToDay(0, -1 / HOUR);
  expect(await digests()).toEqual([]);
  await moveToDay(0);
  const [email, ...more] = await outboxEmails(mail.app, 'Your digest: 2 unread notifications');
  expect(more).toEqual([]);
  const token = /unsubscribe\/(digest-[\w-]+)$/m.exec(linesOf(email?.text))?.[1] ?? '';
  expect(mail.tokens().read(token)).toEqual({ uid: bob.uid, mailing: 'digest' });
  const project = `${PUBLIC_URL}/ana-tester/projects/${projectId}`;
  const [first = '', second = ''] = linesOf(email?.text).match(/\?comment=\w+/g) ?? [];
  expect(linesOf(email?.text)).toBe(`You have 2 unread notifications:

- Anouk Tester mentioned you in Low tide: @Bob Tester softer
  ${project}${first}

- Anouk Tester commented on Low tide: Louder <b>here</b>
  ${project}${second}

Open Roughmix:
${PUBLIC_URL}/projects

-- 
You get this e-mail because the daily digest is on in your settings.
Unsubscribe: ${PUBLIC_URL}/unsubscribe/${token}
`);
  expect(first).toBe(`?comment=${_id}`);
  expect(email?.html).toContain(`<li><a href="${project}${first}">Anouk Tester mentioned you in Low tide: @Bob Tester softer</a></li>`);
  expect(email?.html).toContain('Low tide: Louder &lt;b&gt;here&lt;/b&gt;</a></li>');
  expect(email?.headers).toMatchObject({
    to: BOB,
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': `<${PUBLIC_URL}/api/mail/unsubscribe/${token}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
});

test('is not sent without anything new; then it covers everything since the last one', async () => {
  await nextIsOnDay(1);
  await moveToDay(1);
  await nextIsOnDay(2);
  expect(await digests()).toHaveLength(1);
  for (let nth = 1; nth <= 22; nth += 1) await comment(ana, projectId, { content: `Take ${nth}` });
  await newest(bob, 'CommentAdded');
  await moveToDay(2);
  const [email] = await outboxEmails(mail.app, 'Your digest: 22 unread notifications');
  const text = linesOf(email?.text);
  expect(text.startsWith('You have 22 unread notifications. The newest 20:\n\n- Anouk Tester commented on Low tide: Take 22\n')).toBe(true);
  expect(text.match(/Take \d+/g)).toEqual(Array.from({ length: 20 }, (_, nth) => `Take ${22 - nth}`));
});

test('is sent at the next start of that day, and only once', async () => {
  await nextIsOnDay(3);
  await say('While it is down');
  await mail.app.restart(() => Promise.resolve(mail.clock.move(DAY + 5 * HOUR)));
  [ana, bob] = [mail.app.again(ana), mail.app.again(bob)];
  expect(linesOf((await outboxEmails(mail.app, 'Your digest: 1 unread notification'))[0]?.text)).toContain('Low tide: While it is down\n');
  await nextIsOnDay(4);
  await moveToDay(3, 6);
  expect(await digests()).toHaveLength(3);
});

test('starts again with the program when its timer was lost, as after a restore', async () => {
  await say('Lost');
  await mail.vault().remove(TIMERS.name, recordId({ kind: DIGEST_TIMERS, key: bob.uid }));
  await mail.app.restart();
  [ana, bob] = [mail.app.again(ana), mail.app.again(bob)];
  expect((await nextIsOnDay(4))?.data).toEqual({});
});

test('repeats and skips nothing when it is killed while sending', async () => {
  await say('Once');
  const set = await nextIsOnDay(4);
  const after = set?.position ?? 0;
  await moveToDay(4);
  const until = (await nextIsOnDay(5))?.position ?? 0;
  expect(await digests()).toHaveLength(4);
  await say('After the kill');
  // The timer as a kill leaves it between queueing the e-mail and setting the next one.
  await mail.set({ kind: DIGEST_TIMERS, key: bob.uid, at: MORNING + 4 * DAY, position: after, data: { until: String(until), lastDay: '2023-11-19' } });
  expect(await nextIsOnDay(5)).toMatchObject({ position: until, data: { lastDay: '2023-11-19' } });
  expect(await digests()).toHaveLength(4);
  await moveToDay(5);
  const emails = await outboxEmails(mail.app, 'Your digest: 1 unread notification', 3);
  expect(linesOf(emails.at(-1)?.text)).toContain('Low tide: After the kill\n');
  expect(await digests()).toHaveLength(5);
});

test('counts as sent when a restore came after it, as people had theirs before', async () => {
  await say('Before the restore');
  await mail.vault().put(RESTORES.name, RESTORES.id, { at: MORNING + 6 * DAY });
  await moveToDay(6);
  expect((await nextIsOnDay(7))?.data?.['lastDay']).toBe('2023-11-21');
  expect(await digests()).toHaveLength(5);
});

test('moves to the time zone of a later sign-in, and ends when it is turned off', async () => {
  await nextIsOnDay(7);
  await signIn('Asia/Kolkata');
  await mail.timerAt(DIGEST_TIMERS, bob.uid, MORNING + 7 * DAY - 4.5 * HOUR);
  await turn(bob, false);
  await mail.timerAt(DIGEST_TIMERS, bob.uid, null);
  // A timer that was firing then.
  await say('Not to be sent');
  await mail.set({ kind: DIGEST_TIMERS, key: bob.uid, at: mail.clock.now() });
  await mail.timerAt(DIGEST_TIMERS, bob.uid, null);
  expect(await digests()).toHaveLength(5);
});

test('ends with its user, whose e-mails are deleted', async () => {
  await turn(bob, true);
  await mail.timerAt(DIGEST_TIMERS, bob.uid, MORNING + 7 * DAY - 4.5 * HOUR);
  bodyOf(await mail.app.anonymous.post(`/api/admin/${mail.app.adminKey}/users/erase`, { user: bob.uid }));
  await mail.timerAt(DIGEST_TIMERS, bob.uid, null);
  await mail.set({ kind: DIGEST_TIMERS, key: bob.uid, at: mail.clock.now() });
  await mail.timerAt(DIGEST_TIMERS, bob.uid, null);
  expect(await digests()).toEqual([]);
});
