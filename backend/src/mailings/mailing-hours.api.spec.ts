import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { Person } from '../testing/app.js';
import { remindOfTodos } from '../testing/mailed-reminders.js';
import { type MailingApp, PUBLIC_URL, startMailingApp } from '../testing/mailing-app.js';
import { markAsRead, notificationsOf } from '../testing/notification-calls.js';
import { aProjectWith, openPage } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';
import { HELD_MAILINGS } from './count-held-mailings.timer.js';
import { REMINDER_EMAILS } from './email-reminder.timer.js';

const HOUR = 60 * 60_000;
const BOB = 'bob.tester@example.org';
let mail: MailingApp;
let ana: Person;
let bob: Person;
let projectId: string;

beforeAll(async () => {
  mail = await startMailingApp({}, Date.now());
  [ana, bob] = await mail.app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  await openPage(bob, projectId);
  bodyOf(await ana.put(USER_PATHS.user(ana.uid), { settings: { mailNotifs: { todoReminders: false } } }));
});
afterAll(() => mail.app.stop());

const subjects = async (): Promise<readonly string[]> =>
  (await mail.emails()).filter(({ headers }) => headers['to'] === BOB).map(({ headers }) => headers['subject'] ?? '');
const remind = (count: number): Promise<void> => remindOfTodos(mail, { projectId, author: ana, mentioned: bob, count });
const reminders = (count: number): readonly string[] => Array.from({ length: count }, () => 'Due in 1 hour');
const heldUntil = async (): Promise<number | undefined> => (await mail.timer(HELD_MAILINGS, `${bob.uid}-todoReminders`))?.at;

test('a person gets five reminders an hour, then one e-mail that counts the others that are still unread', async () => {
  await remind(9);
  const decided = mail.clock.now();
  expect(await subjects()).toEqual(reminders(5));
  expect(await heldUntil()).toBe(decided + HOUR);
  const stored = await mail.vault().get<{ readonly held: readonly string[] }>('mailing-hours', `${bob.uid}/todoReminders`);
  const { notifications } = await notificationsOf(bob);
  const held = notifications.filter(({ _id }) => stored?.body.held.includes(_id));
  expect(held).toHaveLength(4);
  const [repeated, read] = held as [NotificationView, NotificationView];
  await mail.set({ kind: REMINDER_EMAILS, key: repeated._id, at: decided, position: repeated.position, data: { by: 'sockets', remindAt: String(decided) } });
  await mail.timerAt(REMINDER_EMAILS, repeated._id, null);
  bodyOf(await markAsRead(bob, [read._id]));
  await mail.moveTo(decided + HOUR - 1, HELD_MAILINGS);
  expect(await subjects()).toEqual(reminders(5));
  await mail.moveTo(decided + HOUR, HELD_MAILINGS);
  expect((await subjects()).toSorted()).toEqual(['3 more reminders', ...reminders(5)]);
  const counted = (await mail.emails()).find(({ headers }) => headers['subject'] === '3 more reminders');
  expect(counted?.text).toContain(`${PUBLIC_URL}/projects`);
  expect(counted?.headers['list-unsubscribe']).toContain('todoReminders-');
  expect(await heldUntil()).toBeUndefined();
});

test('after an hour reminders are sent one by one again; what is held back when a user turns them off is not counted', async () => {
  const before = (await subjects()).length;
  await remind(6);
  expect((await subjects()).length).toBe(before + 5);
  bodyOf(await bob.put(USER_PATHS.user(bob.uid), { settings: { mailNotifs: { todoReminders: false } } }));
  await mail.moveTo((await heldUntil()) ?? 0, HELD_MAILINGS);
  expect((await subjects()).length).toBe(before + 5);
  expect(await heldUntil()).toBeUndefined();
});

test('what was e-mailed to a user within the hour is forgotten with them', async () => {
  expect(await mail.vault().find('mailing-hours', { field: 'uid', value: bob.uid })).toHaveLength(1);
  bodyOf(await mail.app.anonymous.post(`/api/admin/${mail.app.adminKey}/users/erase`, { user: bob.uid }));
  await mail.app.reactorsIdle();
  expect(await mail.vault().find('mailing-hours', { field: 'uid', value: bob.uid })).toEqual([]);
});
