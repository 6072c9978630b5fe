import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { mention } from '@roughmix/contracts/shared/mentions.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { markAsRead, newest } from '../testing/notification-calls.js';
import { addVersion, aProjectWith, comment } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';
import { type News, NOTIFYING_EVENTS, NotificationsQueries } from './notifications.queries.js';

/** What a reactor was given, as pushes and e-mails are. */
const given: NotificationView[] = [];
let notifications: NotificationsQueries;

@Injectable()
class TakeNotifications implements Reactor {
  readonly name = 'take-notifications';
  readonly startsAt = 'beginning';
  readonly handles = NOTIFYING_EVENTS;

  constructor(private readonly made: NotificationsQueries) {
    notifications = made;
  }

  async react({ position }: StoredEvent): Promise<void> {
    given.push(...(await this.made.madeAt(position)));
  }
}

@Module({ providers: [TakeNotifications], exports: [TakeNotifications] })
class TakingModule {}

let app: TestApp;
let ana: Person;
let bob: Person;
let projectId: string;
beforeAll(async () => {
  const parts = { module: TakingModule, reactors: [TakeNotifications] };
  app = await startApp({}, { manifests: [{ name: 'taking', load: async () => ({ parts }) }] });
  [ana, bob] = await app.people('Ana', 'Bob');
  ({ projectId } = await aProjectWith(ana, { collaborators: [bob] }));
});
afterAll(() => app.stop());

test('a reactor gets what its event made, for each receiver, and nothing again after a rebuild', async () => {
  const { _id, position } = await comment(ana, projectId);
  await app.reactorsIdle();
  const received = given.filter((view) => view.resourceId === _id);
  expect(received).toMatchObject([
    { type: 'CommentAdded', receiverId: bob.uid, isUnread: true, position, message: 'Ana Tester commented on Low tide: Louder here' },
  ]);
  const before = given.length;
  bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/projections/notifications/rebuild`));
  await comment(bob, projectId);
  await app.reactorsIdle();
  expect(given.length).toBe(before + 1);
  expect(await notifications.madeAt(position)).toEqual(received);
});

test('what became unread in a span of the log is counted without the welcome and without what was read', async () => {
  const first = await newest(bob, 'CommentAdded', (await comment(ana, projectId, { content: 'One' }))._id);
  const views: NotificationView[] = [];
  for (const content of ['Two', 'Three', 'Four']) views.unshift(await newest(bob, 'CommentAdded', (await comment(ana, projectId, { content }))._id));
  const [four, three, two] = views;
  const until = four?.position ?? 0;
  const span = { after: first.position, until };
  const isWanted = (): Promise<boolean> => Promise.resolve(true);
  const named = (...of: readonly (NotificationView | undefined)[]) => of.map((view) => ({ view, names: [ana.uid] }));
  expect(await notifications.unreadBetween(bob.uid, span, { limit: 2, isWanted })).toEqual({ newest: named(four, three), count: 3 });
  const shorter = { ...span, until: until - 1 };
  expect(await notifications.unreadBetween(bob.uid, shorter, { limit: 2, isWanted })).toEqual({ newest: named(three, two), count: 2 });
  const others = ({ notificationId }: News): Promise<boolean> => Promise.resolve(notificationId !== three?._id);
  expect(await notifications.unreadBetween(bob.uid, span, { limit: 1, isWanted: others })).toEqual({ newest: named(four), count: 2 });
  bodyOf(await markAsRead(bob, [four?._id ?? '']));
  expect(await notifications.unreadBetween(bob.uid, span, { limit: 20, isWanted })).toEqual({ newest: named(three, two), count: 2 });
  const everything = await notifications.unreadBetween(bob.uid, { after: 0, until }, { limit: 100, isWanted });
  expect(everything.newest.map(({ view }) => view.type)).not.toContain('UsersNew');
});

test('a notification names its actor, the owner of the project and everyone whom the quoted text mentions', async () => {
  const cleo = await app.person('Cleo');
  const shared = await aProjectWith(bob, { collaborators: [ana, cleo] });
  const { _id } = await addVersion(ana, shared.projectId, { tinySummary: `For ${mention(cleo.username)}` });
  const { position, message } = await newest(bob, 'VersionAddedNotifyOwner', _id);
  expect(message).toMatch(/: For @Cleo Tester$/);
  const found = (await notifications.namedAt(position)).find(({ view }) => view.receiverId === bob.uid);
  expect(found?.names).toEqual([ana.uid, bob.uid, cleo.uid]);
});
