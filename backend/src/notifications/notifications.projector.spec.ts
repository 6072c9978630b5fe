import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InboxEvent } from '@roughmix/contracts/notifications/notification.events.js';
import type { UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { DocumentStore } from '../platform/documents/documents.js';
import { madeAt, notificationsStarted, projected, storedAs } from '../testing/made-notifications.js';
import { aProject } from '../testing/project-history.js';
import { inBatchesOf } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { POST_FACTS, PROJECT_FACTS, REGION_FACTS, VERSION_FACTS } from './notification-facts.js';
import { EMPTY_INBOX, type InboxDocument, INBOXES, isUnread, listOf, type NotificationDocument, NOTIFICATIONS } from './notifications.documents.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const project = aProject()
  .ownedBy('ana')
  .withVersion('v1')
  .sharedWith('bob')
  .withRegion('r1')
  .withComment('c1', { by: 'ana', tags: ['r1'] })
  .withComment('c2', { by: 'ana' })
  .withTodo('t1', { by: 'bob' })
  .beginningAt(3);
const START = notificationsStarted();
const welcome = storedEvent<UserStreamEvent>(
  { type: 'UserRegistered', data: { uid: 'bob', username: 'bob', firstName: 'Bob', lastName: 'Reef', guest: false } },
  { stream: 'user-bob', revision: 0, position: 2 },
);
const events: readonly StoredEvent[] = [START, welcome, ...project.events];
const end = 20;
const inBobsInbox = (event: InboxEvent, position = end): StoredEvent => storedEvent(event, { stream: 'inbox-bob', revision: 0, position, actorUid: 'bob' });

const listed = async (documents: DocumentStore, uid: string): Promise<readonly NotificationDocument[]> =>
  (await documents.find(storedAs(NOTIFICATIONS), {
    where: { field: 'lists', value: listOf(uid, null, false) },
    sort: 'ascending',
  })) as unknown as NotificationDocument[];
const inboxOf = async (documents: DocumentStore, uid: string): Promise<InboxDocument> =>
  ((await documents.get(storedAs(INBOXES), uid)) as unknown as InboxDocument | null) ?? EMPTY_INBOX;
const unread = async (documents: DocumentStore, uid: string): Promise<readonly string[]> => {
  const inbox = await inboxOf(documents, uid);
  return (await listed(documents, uid)).filter((each) => isUnread(each, inbox)).map(({ type }) => type);
};

test('counts are those of the notifications that are unread', async () => {
  const documents = await projected(stores, events);
  expect(await unread(documents, 'bob')).toEqual(['UsersNew', 'ProjectUsersInvited', 'CommentAdded', 'CommentAdded']);
  expect((await inboxOf(documents, 'bob')).unread).toEqual({ other: 4, groups: 0 });
  expect((await inboxOf(documents, 'ana')).unread).toEqual({ other: 1, groups: 0 });
});

test('the same events give the same notifications in any batches, also when they are delivered twice', async () => {
  const all = async (documents: DocumentStore) => [await listed(documents, 'ana'), await listed(documents, 'bob'), await inboxOf(documents, 'bob')];
  const expected = await all(await projected(stores, events));
  for (const size of [1, 2, 5]) expect(await all(await projected(stores, ...inBatchesOf(size, events)))).toEqual(expected);
  expect(await all(await projected(stores, events, events))).toEqual(expected);
  expect(await all(await projected(stores, ...inBatchesOf(1, events), events.slice(-3)))).toEqual(expected);
});

test('news from before the start of the feature is read, the welcome too', async () => {
  const documents = await projected(stores, [welcome, ...project.events, notificationsStarted(end)]);
  expect([await unread(documents, 'bob'), (await listed(documents, 'bob')).length]).toEqual([[], 4]);
  expect(await inboxOf(documents, 'bob')).toEqual(EMPTY_INBOX);
});

test('reading some and dismissing the rest leaves the card, and what comes later', async () => {
  const documents = await projected(stores, events);
  const [, invited] = await listed(documents, 'bob');
  const notificationIds = [invited?.notificationId ?? '', ...(await listed(documents, 'ana')).map((each) => each.notificationId)];
  const read = inBobsInbox({ type: 'NotificationsRead', data: { uid: 'bob', notificationIds } });
  const afterReading = await projected(stores, [...events, read]);
  expect(await unread(afterReading, 'bob')).toEqual(['UsersNew', 'CommentAdded', 'CommentAdded']);
  expect(await unread(afterReading, 'ana')).toEqual(['TodoAdded']);
  expect((await inboxOf(afterReading, 'bob')).unread.other).toBe(3);
  const dismissed = inBobsInbox({ type: 'NotificationsDismissed', data: { uid: 'bob', set: 'other' } }, end + 1);
  const later = project.withComment('c3', { by: 'ana' }).events.at(-1);
  if (later === undefined) throw new Error('there is no event');
  const both = await projected(stores, [...events, read, dismissed, { ...later, position: end + 2 }]);
  expect(await unread(both, 'bob')).toEqual(['UsersNew', 'CommentAdded']);
  expect((await inboxOf(both, 'bob')).unread.other).toBe(2);
});

test('items of the card are ticked and unticked; a first version ticks once', async () => {
  const tick = inBobsInbox({ type: 'ChecklistItemTicked', data: { uid: 'bob', item: 'tutorial' } });
  const untick = inBobsInbox({ type: 'ChecklistItemUnticked', data: { uid: 'bob', item: 'upload' } }, end + 2);
  const card = async (...more: readonly StoredEvent[]) => {
    const [found] = await listed(await projected(stores, [...events, ...more]), 'bob');
    return { checklist: found?.checklist, position: found?.position };
  };
  expect(await card(tick)).toEqual({ checklist: { tutorial: true, upload: false, share: false, feedback: false }, position: end });
  const [first, second] = project.withVersion('v2', { by: 'bob' }).withVersion('v3', { by: 'bob' }).events.slice(-2);
  if (first === undefined || second === undefined) throw new Error('there are no versions');
  const at = (event: StoredEvent, position: number): StoredEvent => ({ ...event, position });
  expect(await card(at(first, end + 1))).toMatchObject({ checklist: { upload: true }, position: end + 1 });
  expect(await card(at(first, end + 1), untick, at(second, end + 3))).toMatchObject({ checklist: { upload: false }, position: end + 2 });
});

test('purging a project deletes its notifications, except that it was removed, and everything known of it', async () => {
  const removed = project.removed();
  const purge = removed.and({ type: 'ProjectPurged', data: { versionIds: [], regionIds: [], commentIds: [] } }, null);
  const documents = await projected(stores, [START, welcome, ...purge.events]);
  expect((await listed(documents, 'bob')).map(({ type, projectName }) => [type, projectName])).toEqual([
    ['UsersNew', null],
    ['ProjectRemoved', '[removed project]'],
  ]);
  expect(await unread(documents, 'bob')).toEqual(['UsersNew', 'ProjectRemoved']);
  expect([(await inboxOf(documents, 'bob')).unread.other, (await inboxOf(documents, 'ana')).unread.other]).toEqual([2, 0]);
  for (const collection of [POST_FACTS, VERSION_FACTS, REGION_FACTS]) {
    expect(await documents.find(storedAs(collection), { where: { field: 'projectId', value: 'p1' } })).toEqual([]);
  }
  expect(await documents.get(storedAs(PROJECT_FACTS), 'p1')).toBeNull();
});

test("an erased receiver's notifications are deleted; others keep theirs", async () => {
  const erased = storedEvent<UserStreamEvent>({ type: 'UserErased', data: { uid: 'bob' } }, { stream: 'user-bob', revision: 1, position: end });
  const documents = await projected(stores, [...events, erased]);
  expect([await listed(documents, 'bob'), await inboxOf(documents, 'bob')]).toEqual([[], EMPTY_INBOX]);
  expect((await listed(documents, 'ana')).length).toBe(2);
});

test('a notification has an id that follows from the event and the receiver', async () => {
  const documents = await projected(stores, events);
  const ids = (await madeAt(documents, project.events.at(-1)?.position ?? 0)).map(({ notificationId }) => notificationId);
  expect(ids).toEqual(['4e79c85b4d3f3bbfa2c8f86998ab765d']);
});
