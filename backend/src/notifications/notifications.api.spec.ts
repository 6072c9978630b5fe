import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NOTIFICATION_PATHS } from '@roughmix/contracts/notifications/notification.paths.js';
import type { DismissedAllAnswer, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { markAsRead, newest, notificationsOf, notificationsWhen } from '../testing/notification-calls.js';
import { addVersion, aProjectWith, comment, type CreatedProject, diff, editPermissions, invite, region, reply, todo } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';
import { complete, edit } from '../testing/todo-calls.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;
let created: CreatedProject;
let projectId: string;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo] = await app.people('Ana', 'Bob', 'Cleo');
  created = await aProjectWith(ana, { collaborators: [bob, cleo] });
  ({ projectId } = created);
});
afterAll(() => app.stop());

const ids = (views: readonly NotificationView[]): readonly string[] => views.map(({ _id }) => _id);
const dismiss = (who: Person, set = 'other'): Promise<Answer<DismissedAllAnswer>> => who.put<DismissedAllAnswer>(NOTIFICATION_PATHS.dismissAll, { set });

test('a notification has every field of its view', async () => {
  const { _id: commentId, position } = await comment(bob, projectId, { content: 'Lift the\n chorus' });
  const view = await newest(ana, 'CommentAdded', commentId);
  expect(view).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{32}$/),
    type: 'CommentAdded',
    isUnread: true,
    receiverId: ana.uid,
    userId: bob.uid,
    user: expect.objectContaining({ uid: bob.uid, firstName: 'Bob', username: 'Bob Tester' }),
    postOwnerId: bob.uid,
    parentResourceId: projectId,
    parentResourceName: 'Low tide',
    resourceId: commentId,
    resourceName: 'Lift the chorus',
    message: 'Bob Tester commented on Low tide: Lift the chorus',
    dateAdded: expect.any(Number),
    dueDate: null,
    likes: null,
    negs: null,
    mediaType: null,
    checklist: null,
    count: null,
    refs: { projectId, commentId },
    href: `/projects/${projectId}?comment=${commentId}`,
    gone: false,
    position,
  });
  const other = await newest(cleo, 'CommentAdded', commentId);
  expect([other.href, other._id === view._id]).toEqual([`/ana-tester/projects/${projectId}?comment=${commentId}`, false]);
});

describe('what it is about is shown as it is now', () => {
  test('texts are current, cut after 80 units, and names of mentioned people are current', async () => {
    const { _id } = await comment(bob, projectId, { content: 'First' });
    await newest(ana, 'CommentAdded', _id);
    bodyOf(await bob.put(`/api/comments/${_id}`, { submission: { content: `${mention(cleo.username)} ${'x'.repeat(66)}\u{1F600}${'y'.repeat(9)}` } }));
    const { message } = await newest(ana, 'CommentAdded', _id);
    expect(message).toBe(`Bob Tester commented on Low tide: @Cleo Tester ${'x'.repeat(66)}…`);
    expect((await newest(cleo, 'CommentTaggedUser', _id)).message).toBe(`Bob Tester mentioned you in Low tide: @Cleo Tester ${'x'.repeat(66)}…`);
  });

  test('a removed comment is gone: its text with it, and the link leads to the project', async () => {
    const { _id } = await comment(bob, projectId);
    bodyOf(await bob.post(`/api/comments/${_id}`, { projectId }));
    const { message, gone, resourceName, resourceId, href } = await newest(ana, 'CommentAdded', _id);
    expect({ message, gone, resourceName, resourceId, href }).toEqual({
      message: 'Bob Tester commented on Low tide',
      gone: true,
      resourceName: null,
      resourceId: _id,
      href: `/projects/${projectId}`,
    });
  });

  test('a removed version is gone from the start, and names keep what they were', async () => {
    const { _id, majorUpdate, minorUpdate } = await addVersion(bob, projectId);
    const number = `${majorUpdate}.${minorUpdate}`;
    expect(await newest(ana, 'VersionAddedNotifyOwner', _id)).toMatchObject({
      message: `Bob Tester added version ${number} to Low tide: Louder`,
      resourceName: number,
      mediaType: 'track',
      postOwnerId: bob.uid,
      refs: { projectId, versionId: _id },
      href: `/projects/${projectId}?v=${_id}`,
    });
    expect(await newest(bob, 'VersionAdded', _id)).toMatchObject({ isUnread: false, message: `You added version ${number} to Low tide` });
    bodyOf(await bob.post(`/api/media/${_id}`, { projectId }));
    expect(await newest(ana, 'VersionRemovedNotifyOwner', _id)).toMatchObject({
      message: `Bob Tester removed version ${number} from Low tide`,
      gone: true,
      href: `/projects/${projectId}`,
    });
    const added = (await notificationsOf(ana)).notifications.find(({ type, resourceId }) => type === 'VersionAddedNotifyOwner' && resourceId === _id);
    expect(added).toMatchObject({ message: `Bob Tester added version ${number} to Low tide`, gone: true, resourceName: number });
  });

  test('a region is named by its label, and by its category once it is gone', async () => {
    const { _id: regionId } = await region(ana, created, { label: 'Bridge', tag: 'mix' });
    await comment(bob, projectId, { taggedRegions: [{ _id: regionId }] });
    bodyOf(await ana.put(`/api/regions/${regionId}`, { submission: { end: 0.9 } }));
    expect(await newest(bob, 'RegionEdited', regionId)).toMatchObject({
      resourceName: 'Bridge',
      href: `/ana-tester/projects/${projectId}?region=${regionId}`,
      postOwnerId: null,
    });
    bodyOf(await ana.post(`/api/regions/${regionId}`, { projectId }));
    expect(await newest(bob, 'RegionRemoved', regionId)).toMatchObject({
      resourceName: 'mix',
      gone: true,
      message: 'Ana Tester removed a region you tagged in Low tide',
    });
  });
});

describe('a notification about', () => {
  test('todos: added, replied to, completed by the version', async () => {
    const { _id } = await todo(bob, projectId, { content: 'Print stems' });
    expect((await newest(ana, 'TodoAdded', _id)).message).toBe('Bob Tester added a todo to Low tide: Print stems');
    const answer = await ana.post<{ newTodo: { _id: string } }>(`/api/todos/${_id}`, { projectId, submission: { content: 'On it' } });
    const replyId = bodyOf(answer).newTodo._id;
    expect(await newest(bob, 'TodoReply', replyId)).toMatchObject({
      message: 'Ana Tester replied to your todo in Low tide: On it',
      refs: { projectId, todoId: replyId },
      postOwnerId: ana.uid,
    });
    bodyOf(await complete(ana, [_id], { completedTodosVersionId: created.versionId }));
    const own = await newest(bob, 'TodoCompleted', _id);
    expect(own.message).toBe('Ana Tester completed your todo in Low tide: Print stems');
    expect(own.refs).toEqual({ projectId, todoId: _id });
    const shared = await newest(cleo, 'CompleteShared', _id);
    expect(shared.refs).toEqual({ projectId, todoId: _id, versionId: created.versionId });
    expect(shared).toMatchObject({
      message: 'Ana Tester completed a todo in Low tide (1.0): Print stems',
      href: `/ana-tester/projects/${projectId}?todo=${_id}`,
    });
    const { _id: mentioning } = await todo(bob, projectId);
    bodyOf(await edit(bob, mentioning, { content: `Ask ${mention(ana.username)}` }));
    expect((await newest(ana, 'TodoTaggedUser', mentioning)).message).toBe('Bob Tester mentioned you in Low tide: Ask @Ana Tester');
  });

  test('projects and their members', async () => {
    const { projectId: id } = await aProjectWith(ana, { projectName: 'Reef' });
    expect(await newest(ana, 'ProjectAdded', id)).toMatchObject({
      message: 'You added the project Reef',
      isUnread: false,
      resourceId: null,
      href: `/projects/${id}`,
    });
    bodyOf(await ana.put(`/api/projects/${ana.uid}/inviteUsers/${id}`, { invitedUsers: [`${bob.uid}-1`], message: 'Listen to this' }));
    expect(await newest(bob, 'ProjectUsersInvited', id)).toMatchObject({ message: 'Ana Tester invited you to Reef: Listen to this', refs: { projectId: id } });
    bodyOf(await ana.put(`/api/projects/${id}`, { submission: { projectName: 'Atoll' } }));
    expect(await newest(bob, 'ProjectName', id)).toMatchObject({ message: 'Ana Tester renamed Reef to Atoll', parentResourceName: 'Atoll' });
    bodyOf(await editPermissions(ana, id, [diff(bob.uid, 3)]));
    expect((await newest(bob, 'ProjectPermissions', id)).message).toBe('Ana Tester changed what you may do in Atoll: Viewer with comments and downloads');
    bodyOf(await bob.post(`/api/projects/${id}/leave`));
    expect((await newest(ana, 'ProjectUsersRemoved', id)).message).toBe('Bob Tester left Atoll');
    const invited = (await notificationsOf(bob)).notifications.find(({ type, parentResourceId }) => type === 'ProjectUsersInvited' && parentResourceId === id);
    expect(invited).toMatchObject({ message: 'Ana Tester invited you to Reef', gone: true, href: null });
  });

  test('a project within a day: people who are removed and added repeatedly are notified once of each', async () => {
    const { projectId: id } = await aProjectWith(ana, { collaborators: [cleo] });
    for (let times = 0; times < 3; times += 1) {
      bodyOf(await editPermissions(ana, id, [diff(cleo.uid, 3, { removed: true })]));
      bodyOf(await invite(ana, id, [cleo.uid]));
    }
    const { _id: commentId } = await comment(ana, id);
    await newest(cleo, 'CommentAdded', commentId);
    const { notifications } = await notificationsOf(cleo);
    const about = notifications.filter(({ parentResourceId }) => parentResourceId === id);
    expect(about.map(({ type }) => type)).toEqual(['CommentAdded', 'ProjectUsersRemoved', 'ProjectUsersInvited']);
  });

  test('collections', async () => {
    const title = 'Side one';
    const { newCollection } = bodyOf(await cleo.post<{ newCollection: { _id: string } }>(`/api/collections/${cleo.uid}`, { submission: { title } }));
    const { _id: collectionId } = newCollection;
    expect(await newest(cleo, 'CollectionAdded', collectionId)).toMatchObject({
      message: 'You added the collection Side one',
      isUnread: false,
      parentResourceId: null,
      resourceName: title,
      refs: { collectionId },
      href: `/projects?collection=${collectionId}`,
    });
    bodyOf(await cleo.post(`/api/collections/${cleo.uid}/${collectionId}`));
    expect(await newest(cleo, 'CollectionRemoved', collectionId)).toMatchObject({ message: 'You removed the collection Side one', gone: true, href: null });
  });
});

describe('the list', () => {
  test('is newest first, in pages, by set', async () => {
    const all = (await notificationsOf(ana, '?limit=100')).notifications;
    expect(ids(all)).toEqual(ids(all.toSorted((one, other) => other.dateAdded - one.dateAdded || (one._id < other._id ? 1 : -1))));
    const walked: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: { notifications: readonly NotificationView[]; next: string | null } = await notificationsOf(
        ana,
        `?limit=3${next === '' ? '' : `&before=${next}`}`,
      );
      walked.push(...ids(page.notifications));
      ({ next } = page);
    }
    expect(walked).toEqual(ids(all));
    expect((await notificationsOf(ana, '?set=other&limit=100')).notifications).toEqual(all);
    expect(await notificationsOf(ana, '?set=groups')).toMatchObject({ notifications: [], next: null });
    expect(ids((await notificationsOf(ana, '?unread=true&limit=100')).notifications)).toEqual(ids(all.filter(({ isUnread }) => isUnread)));
    expect((await notificationsOf(ana, '?unread=false&limit=100')).notifications).toEqual(all);
  });

  test.each(['before=x', 'before=1', 'limit=0', 'limit=101', 'set=all', 'unread=1', 'unread=', 'set=other&set=groups'])('%s is refused', async (query) => {
    expect(statusAndCode(await ana.get(`${NOTIFICATION_PATHS.list(ana.uid)}?${query}`))).toBe('400 request.invalid');
  });

  test('has a position up to which it is complete', async () => {
    await newest(ana, 'CommentAdded', (await comment(bob, projectId))._id);
    const before = await notificationsOf(ana);
    const read = Number((await markAsRead(ana, [before.notifications[0]?._id ?? ''])).headers.get('x-position'));
    expect(read).toBeGreaterThan(before.position);
    const after = await notificationsOf(ana);
    expect(after.position).toBeGreaterThanOrEqual(read);
  });

  test('is its owner’s alone, and empty for the guest', async () => {
    expectRefused(await bob.get(NOTIFICATION_PATHS.list(ana.uid)), 'actor.mismatch');
    const guest = await app.guest();
    const nothing = { notifications: [], counts: { other: 0, groups: 0, messages: 0, byGroup: {} }, next: null };
    expect(await notificationsOf(guest)).toEqual({ ...nothing, position: expect.any(Number) });
    expectRefused(await markAsRead(guest, []), 'guest.read-only');
    expectRefused(await dismiss(guest), 'guest.read-only');
  });
});

describe('reading', () => {
  test('marks one’s own as read, once, and names them in the order of the request', async () => {
    const first = await newest(ana, 'CommentAdded', (await comment(bob, projectId))._id);
    const second = await newest(ana, 'CommentAdded', (await comment(bob, projectId))._id);
    const foreign = await newest(cleo, 'CommentAdded', second.resourceId ?? '');
    const { counts } = await notificationsOf(ana);
    const answer = await markAsRead(ana, [second._id, foreign._id, 'nothing', first._id]);
    expect(answer.body).toEqual({ read: [second._id, first._id], counts: { ...counts, other: counts.other - 2 } });
    const position = Number(answer.headers.get('x-position'));
    const { notifications } = await notificationsOf(ana);
    expect(notifications.slice(0, 2)).toEqual([second, first].map((view) => ({ ...view, isUnread: false, position })));
    const again = await markAsRead(ana, [first._id]);
    expect([again.body.read, again.headers.get('x-position')]).toEqual([[first._id], null]);
    expect((await notificationsOf(cleo)).notifications[0]).toEqual(foreign);
  });

  test.each<[what: string, body: unknown, expected: string]>([
    ['empty', {}, '200'],
    ['a map of unknown ids', { x: 'Users' }, '200'],
    ['of an unknown kind', { x: 'Persons' }, '400 request.invalid'],
    ['of null', { x: null }, '400 request.invalid'],
    ['a list', ['x'], '400 request.invalid'],
    ['a text', 'x', '400 request.invalid'],
    ['a map of 101 ids', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`n${at}`, 'Media'])), '400 ids.too-many'],
  ])('with a body that is %s', async (_what, body, expected) => {
    expect(statusAndCode(await ana.put(NOTIFICATION_PATHS.markAsRead, body))).toBe(expected);
  });

  test('a repeated request has no further effect', async () => {
    const { _id } = await newest(ana, 'CommentAdded', (await comment(bob, projectId))._id);
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [await markAsRead(ana, [_id], key), await markAsRead(ana, [_id], key)];
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true']);
  });

  test('dismissing a set marks everything in it as read except the welcome card, and nothing that comes later', async () => {
    const before = await newest(ana, 'CommentAdded', (await comment(bob, projectId))._id);
    const { counts } = bodyOf(await dismiss(ana));
    expect(counts).toEqual({ other: 1, groups: 0, messages: 0, byGroup: {} });
    const unread = await notificationsOf(ana, '?unread=true');
    expect(unread.notifications.map(({ type }) => type)).toEqual(['UsersNew']);
    const answer = await dismiss(ana);
    expect([answer.status, answer.headers.get('x-position')]).toEqual([200, null]);
    const later = await newest(ana, 'CommentAdded', (await comment(bob, projectId))._id);
    expect(ids((await notificationsOf(ana, '?unread=true')).notifications)).toEqual([later._id, unread.notifications[0]?._id]);
    expect((await notificationsOf(ana)).notifications.find(({ _id }) => _id === before._id)?.isUnread).toBe(false);
    expect((await notificationsOf(ana, '?unread=true&limit=1')).next).not.toBeNull();
    const [card] = unread.notifications;
    expect(bodyOf(await markAsRead(ana, [card?._id ?? ''])).counts.other).toBe(1);
  });

  test.each([{}, { set: 'all' }, { set: null }])('dismissing %j is refused', async (body) => {
    expect(statusAndCode(await ana.put(NOTIFICATION_PATHS.dismissAll, body))).toBe('400 request.invalid');
  });
});

test('the welcome card ticks what its owner does', async () => {
  const dan = await app.person('Dan');
  const card = await newest(dan, 'UsersNew');
  expect(card).toMatchObject({
    message: 'Welcome to Roughmix',
    isUnread: true,
    userId: null,
    user: null,
    parentResourceId: null,
    resourceId: null,
    href: null,
    refs: {},
    checklist: { tutorial: false, upload: false, share: false, feedback: false },
  });
  const { projectId: id } = await aProjectWith(dan);
  const ticked = async (): Promise<unknown> => (await notificationsOf(dan)).notifications.at(-1)?.checklist;
  expect(await ticked()).toEqual({ tutorial: false, upload: true, share: false, feedback: false });
  bodyOf(await dan.put(`/api/projects/${dan.uid}/inviteUsers/${id}`, { invitedUsers: [`${ana.uid}-1`] }));
  expect(await ticked()).toEqual({ tutorial: false, upload: true, share: true, feedback: false });
});

test('what is not about groups is shown whatever its receiver’s settings say', async () => {
  const gus = await app.person('Gus');
  const off = { enabled: false, todoReminders: false, mentions: false, replies: false, invitations: false, activity: false };
  bodyOf(await gus.put(`/api/users/${gus.uid}`, { settings: { pushNotifs: off, mailNotifs: { todoReminders: false, digest: false } } }));
  bodyOf(await ana.put(`/api/projects/${ana.uid}/inviteUsers/${projectId}`, { invitedUsers: [`${gus.uid}-1`] }));
  await newest(gus, 'ProjectUsersInvited', projectId);
  const { _id } = await comment(bob, projectId, { content: mention(gus.username) });
  expect((await newest(gus, 'CommentTaggedUser', _id)).isUnread).toBe(true);
  const { _id: todoId } = await todo(bob, projectId);
  expect((await newest(gus, 'TodoAdded', todoId)).isUnread).toBe(true);
});

test('the welcome card can be asked for alone, until it is read', async () => {
  const fay = await app.person('Fay');
  const card = await newest(fay, 'UsersNew');
  const { projectId: id } = await aProjectWith(fay);
  await addVersion(fay, id);
  const { notifications, counts } = await notificationsOf(fay, '?limit=1');
  expect([notifications.map(({ type }) => type), counts.other]).toEqual([['VersionAdded'], 1]);
  const only = await notificationsOf(fay, '?checklist=true');
  expect({ ...only, notifications: ids(only.notifications) }).toEqual({ notifications: [card._id], counts, next: null, position: expect.any(Number) });
  expect(await notificationsOf(fay, '?checklist=false&limit=1')).toEqual(await notificationsOf(fay, '?limit=1'));
  bodyOf(await markAsRead(fay, [card._id]));
  expect(await notificationsOf(fay, '?checklist=true')).toEqual({
    notifications: [],
    counts: { ...counts, other: 0 },
    next: null,
    position: expect.any(Number),
  });
  expect(statusAndCode(await fay.get(`${NOTIFICATION_PATHS.list(fay.uid)}?checklist=yes`))).toBe('400 request.invalid');
});

test('the author of a reply is shown by their current name', async () => {
  const eve = await app.person('Eve');
  bodyOf(await ana.put(`/api/projects/${ana.uid}/inviteUsers/${projectId}`, { invitedUsers: [`${eve.uid}-1`] }));
  const { _id } = await comment(bob, projectId);
  const { _id: replyId } = await reply(eve, projectId, _id);
  await newest(bob, 'CommentReply', replyId);
  bodyOf(await eve.put(`/api/users/${eve.uid}`, { firstName: 'Evelyn' }));
  await notificationsWhen(bob, ({ notifications }) => notifications[0]?.message === 'Evelyn Tester replied to your comment in Low tide: Yes');
  bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: eve.uid }));
  const { message, user } = await newest(bob, 'CommentReply', replyId);
  expect([message, user?.username]).toEqual(['[removed user] replied to your comment in Low tide: Yes', '[removed user]']);
});
