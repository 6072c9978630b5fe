import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { REMINDER_TIMERS } from '../todos/remind-of-todo.timer.js';
import type { Person } from '../testing/app.js';
import { type MailingApp, PUBLIC_URL, startMailingApp } from '../testing/mailing-app.js';
import { markAsRead, newest } from '../testing/notification-calls.js';
import { aProjectWith, openPage, todo } from '../testing/project-over-http.js';
import { PushService } from '../testing/push-service.js';
import type { ReadEmail } from '../testing/read-email.js';
import { bodyOf } from '../testing/test-client.js';
import { TestSockets } from '../testing/test-sockets.js';
import { REMINDER_EMAILS } from './email-reminder.timer.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ANA = 'ana.tester@example.org';
const BOB = 'bob.tester@example.org';
const listening = new TestSockets();
let mail: MailingApp;
let service: PushService;
let ana: Person;
let bob: Person;
let projectId: string;
let seen: number;

beforeAll(async () => {
  service = await PushService.start();
  mail = await startMailingApp({ OUTBOUND_ALLOW: service.host }, Date.now());
  [ana, bob] = await mail.app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  await openPage(bob, projectId);
});
afterAll(async () => {
  await listening.stop(mail.app);
  await service.stop();
});
beforeEach(async () => {
  seen = (await mail.emails()).length;
});

const receivers = (found: readonly ReadEmail[]): readonly string[] => found.map(({ headers }) => headers['to'] ?? '').toSorted();
const linesOf = (text = ''): string => text.replaceAll('\r\n', '\n');

/** A todo by Ana that mentions Bob, which is due in an hour. */
async function dueTodo(content = 'Tune the snare'): Promise<{ readonly todoId: string; readonly remindAt: number }> {
  const dueDate = mail.clock.now() + HOUR;
  const submission = { content: `${content} ${mention(bob.username)}`, dueDate, reminder: { '15 minutes before': 0 } };
  const { _id } = await todo(ana, projectId, submission);
  return { todoId: _id, remindAt: dueDate - 15 * MINUTE };
}
/** Fires the reminder, at its time or later. @returns what was decided about e-mails then */
async function remind({ remindAt }: { readonly remindAt: number }, late = 0): Promise<void> {
  await mail.moveTo(remindAt + late, REMINDER_TIMERS);
  await mail.app.reactorsIdle();
}
/** The e-mails since the test began, once everything that is due after some more time is decided. */
async function emailsAfter(milliseconds: number): Promise<readonly ReadEmail[]> {
  await mail.moveTo(mail.clock.now() + milliseconds, REMINDER_EMAILS);
  return (await mail.emails()).slice(seen);
}
const setMail = async (who: Person, todoReminders: boolean): Promise<void> =>
  void bodyOf(await who.put(USER_PATHS.user(who.uid), { settings: { mailNotifs: { todoReminders } } }));

test('a reminder is e-mailed to its receivers, with its time in the subject and its sentence and link in both parts', async () => {
  const due = await dueTodo('Tune <i>the</i> snare');
  await remind(due);
  const found = await emailsAfter(0);
  expect(receivers(found)).toEqual([ANA, BOB]);
  const { headers, text, html } = found.find((email) => email.headers['to'] === BOB) as ReadEmail;
  const token = /unsubscribe\/(todoReminders-[\w-]+)$/m.exec(linesOf(text))?.[1] ?? '';
  const link = `${PUBLIC_URL}/ana-tester/projects/${projectId}?todo=${due.todoId}`;
  expect(linesOf(text)).toBe(`Due in 15 minutes: Tune <i>the</i> snare @Bob Tester (Low tide)

Open the todo:
${link}

-- 
You get this e-mail because reminder e-mails are on in your settings.
Unsubscribe: ${PUBLIC_URL}/unsubscribe/${token}
`);
  expect(html).toContain('<p>Due in 15 minutes: Tune &lt;i&gt;the&lt;/i&gt; snare @Bob Tester (Low tide)</p>');
  expect(html).toContain(`<a class="button" href="${link}">Open the todo</a>`);
  expect(headers).toMatchObject({
    subject: 'Due in 15 minutes',
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': `<${PUBLIC_URL}/api/mail/unsubscribe/${token}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(mail.tokens().read(token)).toEqual({ uid: bob.uid, mailing: 'todoReminders' });
});

test('a user who is connected, has read the reminder, or turned these e-mails off gets none', async () => {
  const socket = await listening.socket(ana);
  await setMail(bob, false);
  await remind(await dueTodo());
  expect(await emailsAfter(0)).toEqual([]);
  await setMail(bob, true);
  await remind(await dueTodo());
  expect(receivers(await emailsAfter(0))).toEqual([BOB]);
  socket.close();
  await socket.disconnected();
  bodyOf(await bob.post(PUSH_PATHS.subscriptions, service.browser('/bob')));
  service.answer = () => ({ status: 500 });
  const due = await dueTodo();
  await remind(due);
  bodyOf(await markAsRead(bob, [(await newest(bob, 'TodoReminder', due.todoId))._id]));
  expect(receivers(await emailsAfter(MINUTE))).toEqual([ANA, BOB]);
});

test('a subscribed browser gets it instead, unless its push service does not accept it within a minute', async () => {
  bodyOf(await bob.post(PUSH_PATHS.subscriptions, service.browser('/bob')));
  service.answer = () => ({ status: 201 });
  const due = await dueTodo();
  await remind(due);
  await mail.pushed((await newest(bob, 'TodoReminder', due.todoId))._id);
  expect(receivers(await emailsAfter(MINUTE))).toEqual([ANA]);
  service.answer = () => ({ status: 503 });
  await remind(await dueTodo());
  expect(receivers(await emailsAfter(MINUTE - 1))).toEqual([ANA, ANA]);
  expect(receivers(await emailsAfter(1))).toEqual([ANA, ANA, BOB]);
  bodyOf(await bob.put(USER_PATHS.user(bob.uid), { settings: { pushNotifs: { todoReminders: false } } }));
  await remind(await dueTodo());
  expect(receivers(await emailsAfter(0))).toEqual([ANA, ANA, ANA, BOB, BOB]);
});

test.each([
  ['Due in 4 minutes', 11 * MINUTE],
  ['Overdue', 16 * MINUTE],
])('one that is missed while nothing runs is sent after the start, once browsers could have come back: %s', async (subject, late) => {
  const due = await dueTodo();
  await mail.app.restart(() => Promise.resolve(mail.clock.move(due.remindAt + late - mail.clock.now())));
  [ana, bob] = [mail.app.again(ana), mail.app.again(bob)];
  await remind(due, late);
  expect(await emailsAfter(14_999)).toEqual([]);
  const found = await emailsAfter(1);
  expect(receivers(found)).toEqual([ANA, BOB]);
  for (const { headers, text } of found) expect([headers['subject'], text.split(':')[0]]).toEqual([subject, subject]);
});

test('a repeated decision sends nothing again', async () => {
  const due = await dueTodo();
  await remind(due);
  expect(await emailsAfter(0)).toHaveLength(2);
  const { _id, position } = await newest(bob, 'TodoReminder', due.todoId);
  await mail.set({ kind: REMINDER_EMAILS, key: _id, at: mail.clock.now(), position, data: { by: 'sockets', remindAt: String(due.remindAt) } });
  await mail.timerAt(REMINDER_EMAILS, _id, null);
  expect(await emailsAfter(0)).toHaveLength(2);
});
