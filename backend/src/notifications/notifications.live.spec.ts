import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NotificationPush } from '@roughmix/contracts/live.js';
import { NOTIFICATION_PATHS } from '@roughmix/contracts/notifications/notification.paths.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { markAsRead, notificationsOf, notificationsWhen } from '../testing/notification-calls.js';
import { addVersion, aProjectWith, comment } from '../testing/project-over-http.js';
import { type Answer, bodyOf } from '../testing/test-client.js';
import type { TestSocket } from '../testing/test-socket.js';
import { TestSockets } from '../testing/test-sockets.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let projectId: string;
let bobs: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
  await notificationsWhen(bob, ({ notifications }) => notifications[0]?.type === 'ProjectUsersInvited');
  bobs = await listening.socket(bob);
});
afterAll(() => listening.stop(app));

const positionOf = ({ headers }: Answer): number => Number(headers.get('x-position'));

/** The notification that a socket gets at a position. */
async function pushAt(socket: TestSocket, position: number): Promise<NotificationPush> {
  const { body } = await socket.until((received) => received.channel === 'notification' && received.body.position === position);
  return body as unknown as NotificationPush;
}
const factsOf = ({ headers }: Answer, actorUid: string): object => ({
  actorUid,
  commandId: headers.get('x-command-id'),
  position: Number(headers.get('x-position')),
});

test('a notification is pushed to its receiver with the counts, and to nobody else', async () => {
  const anas = await listening.socket(ana, projectId);
  const answer = await ana.post('/api/comments', { projectId, submission: { content: 'Hello' } });
  const push = await pushAt(bobs, positionOf(answer));
  const { notifications, counts } = await notificationsOf(bob);
  expect(push).toEqual({ type: 'NotificationAdded', ...factsOf(answer, ana.uid), view: notifications[0], counts });
  const own = await ana.post(`/api/collections/${ana.uid}`, { submission: { title: 'Album' } });
  expect(await pushAt(anas, positionOf(own))).toMatchObject({ type: 'NotificationAdded', view: { type: 'CollectionAdded', isUnread: false } });
  expect(anas.received.filter(({ channel }) => channel === 'notification').length).toBe(1);
});

test("reading is pushed to the user's tabs: ids, or those of a dismissed set", async () => {
  const { notifications } = await notificationsOf(bob, '?unread=true');
  const [newest] = notifications;
  const answer = await markAsRead(bob, [newest?._id ?? '']);
  expect(await pushAt(bobs, positionOf(answer))).toEqual({
    type: 'NotificationsRead',
    ...factsOf(answer, bob.uid),
    ids: [newest?._id],
    counts: answer.body.counts,
  });
  const dismissed = await bob.put<{ counts: object }>(NOTIFICATION_PATHS.dismissAll, { set: 'other' });
  const rest = notifications.slice(1).filter(({ type }) => type !== 'UsersNew');
  expect(await pushAt(bobs, positionOf(dismissed))).toEqual({
    type: 'NotificationsRead',
    ...factsOf(dismissed, bob.uid),
    ids: rest.map(({ _id }) => _id),
    counts: dismissed.body.counts,
  });
});

test('the checklist is changed by a message, which is acknowledged and pushed as an edited card', async () => {
  const ticked = await bobs.ask<{ checklist: object }>('update-newUserNotif', { item: 'tutorial', done: true });
  const checklist = { tutorial: true, upload: false, share: false, feedback: false };
  expect(ticked).toEqual({ ok: true, position: expect.any(Number), checklist });
  const { position } = ticked as { position: number };
  expect(await pushAt(bobs, position)).toMatchObject({ type: 'NotificationEdited', actorUid: bob.uid, view: { type: 'UsersNew', checklist, position } });
  expect(await bobs.ask('update-newUserNotif', { item: 'tutorial', done: true })).toMatchObject({ ok: true, checklist });
  const unticked = await bobs.ask('update-newUserNotif', { item: 'tutorial', done: false });
  expect(unticked).toMatchObject({ ok: true, checklist: { ...checklist, tutorial: false } });
});

test('what a user does ticks the card, which is pushed', async () => {
  const { position } = await addVersion(bob, projectId);
  const isTick = (type: unknown): boolean => type === 'NotificationEdited';
  const { body } = await bobs.until((received) => received.channel === 'notification' && received.body.position === position && isTick(received.body.type));
  expect(body).toMatchObject({ view: { type: 'UsersNew', checklist: { upload: true } } });
});

test.each([{}, { item: 'tutorial' }, { item: 'other', done: true }, { item: 'tutorial', done: 1 }])('the message %j is refused', async (body) => {
  expect(await bobs.ask('update-newUserNotif', body)).toMatchObject({ ok: false, problem: { status: 400, code: 'request.invalid' } });
});

test('a user without a card, and the guest, are refused', async () => {
  const uma = bodyOf(
    await app.anonymous.post<{ user: { uid: string } }>(`/api/admin/${app.adminKey}/users/addUser`, { email: 'uma@example.org', password: 'tide-and-reef-42' }),
  );
  expect(uma.user.uid).not.toBe('');
  const socket = await listening.socket(await app.signIn('uma@example.org', 'uma'));
  expect(await socket.ask('update-newUserNotif', { item: 'tutorial', done: true })).toMatchObject({
    ok: false,
    problem: { status: 404, code: 'notification.not-found' },
  });
  const guests = await listening.socket(await app.guest());
  expect(await guests.ask('update-newUserNotif', { item: 'tutorial', done: true })).toMatchObject({ ok: false, problem: { code: 'guest.read-only' } });
});

test('a socket that comes back gets the notifications that it missed, also of a project that is gone', async () => {
  const { projectId: other } = await aProjectWith(ana, { collaborators: [bob] });
  await notificationsWhen(bob, ({ notifications }) => notifications[0]?.parentResourceId === other);
  const { position: after, log } = (await bobs.ask<{ log: string }>('login')) as { position: number; log: string };
  bobs.close();
  await comment(ana, projectId);
  bodyOf(await ana.post(`/api/projects/removeProject/${other}`));
  await notificationsWhen(bob, ({ notifications }) => notifications[0]?.type === 'ProjectRemoved');
  const back = await listening.socket(bob);
  expect(await back.ask('login', { after, log })).toMatchObject({ ok: true });
  const types = back.received.filter(({ channel }) => channel === 'notification').map(({ body }) => (body as unknown as { view: { type: string } }).view.type);
  expect(types).toEqual(['CommentAdded', 'ProjectRemoved']);
});
