import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { Person } from '../testing/app.js';
import { remindOfTodos } from '../testing/mailed-reminders.js';
import { type MailingApp, startMailingApp } from '../testing/mailing-app.js';
import { aProjectWith, comment, diff, editPermissions, invite, openPage } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';
import { TestSockets } from '../testing/test-sockets.js';
import { DIGEST_TIMERS } from './digest-timers.js';

const listening = new TestSockets();
let mail: MailingApp;
let ana: Person;
let bob: Person;
let projectId: string;

beforeAll(async () => {
  mail = await startMailingApp({}, Date.now());
});
const names = [
  ['Ana', 'Bob'],
  ['Ada', 'Ben'],
  ['Amy', 'Bill'],
] as const;
let nth = 0;
beforeEach(async () => {
  const [owner, member] = names[nth] ?? names[0];
  nth += 1;
  [ana, bob] = await mail.app.people(owner, member);
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
});
afterAll(() => listening.stop(mail.app));

const addressOf = ({ username }: Person): string => `${username.toLowerCase().replace(' ', '.')}@example.org`;
/** The texts of a person's e-mails of a subject. */
const textsTo = async (who: Person, subject: string): Promise<readonly string[]> =>
  (await mail.emails()).filter(({ headers }) => headers['to'] === addressOf(who) && headers['subject']?.startsWith(subject)).map(({ text }) => text);

/** Ana's todo that mentions Bob reminds both. @returns how many reminders were e-mailed to Bob so far */
async function remind(): Promise<number> {
  await remindOfTodos(mail, { projectId, author: ana, mentioned: bob });
  return (await textsTo(bob, 'Due in 1 hour')).length;
}

test('a reminder is e-mailed to a member who has opened the project since being added, and to its owner', async () => {
  expect(await remind()).toBe(0);
  await openPage(bob, projectId);
  expect(await remind()).toBe(1);
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 0, { removed: true })]));
  bodyOf(await invite(ana, projectId, [bob.uid], true));
  expect(await remind()).toBe(1);
  const socket = await listening.socket(bob);
  expect(await socket.ask('in-project', { projectId })).toMatchObject({ ok: true });
  socket.close();
  await socket.disconnected();
  expect(await remind()).toBe(2);
  expect(await textsTo(ana, 'Due in 1 hour')).toHaveLength(4);
});

test('a digest mentions the invitation, but quotes nothing from a project that was not opened', async () => {
  const opened = await aProjectWith(ana, { projectName: 'High tide', collaborators: [bob] });
  await openPage(bob, opened.projectId);
  bodyOf(await bob.put(USER_PATHS.user(bob.uid), { settings: { mailNotifs: { digest: true } } }));
  await mail.app.reactorsIdle();
  const late = await aProjectWith(ana, { projectName: 'Ebb', collaborators: [bob] });
  await comment(ana, late.projectId, { content: 'Your account will be closed' });
  await comment(ana, projectId, { content: `${mention(bob.username)} sign in here` });
  await comment(ana, opened.projectId, { content: 'Louder' });
  const timer = await mail.timer(DIGEST_TIMERS, bob.uid);
  expect(timer).not.toBeNull();
  await mail.moveTo(timer?.at ?? 0, DIGEST_TIMERS);
  const [text = '', ...more] = await textsTo(bob, 'Your digest');
  expect(more).toEqual([]);
  expect(text.replaceAll('\r\n', '\n').match(/^- .*$/gm)).toEqual([`- ${ana.username} commented on High tide: Louder`, `- ${ana.username} invited you to Ebb`]);
});

test('erasing a person deletes the e-mails to others that name or quote them', async () => {
  await openPage(bob, projectId);
  expect(await remind()).toBe(1);
  const [text] = await textsTo(ana, 'Due in 1 hour');
  expect(text).toContain(`@${bob.username}`);
  bodyOf(await mail.app.anonymous.post(`/api/admin/${mail.app.adminKey}/users/erase`, { user: bob.uid }));
  expect((await mail.emails()).filter((email) => JSON.stringify(email).includes(bob.username))).toEqual([]);
  expect(await mail.vault().find('project-openings', { field: 'uid', value: bob.uid })).toEqual([]);
});
