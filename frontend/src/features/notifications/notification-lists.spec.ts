import { describe, expect, test } from '@jest/globals';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import { personCalled } from '../../testing/people-and-projects';
import { notificationOf } from './notification-fixture';
import { type NotificationPages, notificationsIn, readIds, readSet, takeNotification, withoutIds } from './notification-pages';
import { notificationRows } from './notification-rows';

const NONE = { other: 0, groups: 0, messages: 0, byGroup: {} };
const view = (_id: string, changes: Partial<NotificationView> = {}) => notificationOf(personCalled('Bob'), { _id, ...changes });
const pagesOf = (...lists: readonly (readonly NotificationView[])[]): NotificationPages => ({
  pages: lists.map((notifications) => ({ notifications, counts: NONE, next: null, position: 5 })),
  pageParams: lists.map((_list, at) => String(at)),
});
const ids = (pages: NotificationPages | undefined) => pages?.pages.map(({ notifications }) => notifications.map(({ _id }) => _id).join(' '));
const unread = (pages: NotificationPages | undefined) => notificationsIn(pages).flatMap(({ _id, isUnread }) => (isUnread ? [_id] : []));

describe('the loaded pages', () => {
  const pages = pagesOf([view('n3'), view('n2')], [view('n1', { position: 5 })]);

  test('take a new notification at the top, and a newer state in its place, wherever it is; an older state changes nothing', () => {
    expect(ids(takeNotification(pages, view('n4')))).toEqual(['n4 n3 n2', 'n1']);
    const edited = takeNotification(pages, view('n1', { position: 6, isUnread: false }));
    expect([ids(edited), unread(edited)]).toEqual([
      ['n3 n2', 'n1'],
      ['n3', 'n2'],
    ]);
    expect(unread(takeNotification(pages, view('n1', { position: 4, isUnread: false })))).toEqual(['n3', 'n2', 'n1']);
  });

  test('mark as read by id, or all up to a position except the welcome card', () => {
    expect(unread(readIds(pages, new Set(['n2', 'n9'])))).toEqual(['n3', 'n1']);
    const welcomed = takeNotification(pages, view('w', { type: 'UsersNew', position: 1 }));
    expect(unread(readSet(welcomed, 'other', 5))).toEqual(['w', 'n3', 'n2']);
    expect(unread(readSet(welcomed, 'groups', 99))).toEqual(['w', 'n3', 'n2', 'n1']);
  });

  test('lose what a later one replaces, and nothing is added before the first page is there', () => {
    expect(ids(withoutIds(pages, new Set(['n3', 'n1'])))).toEqual(['n2', '']);
    expect(takeNotification(undefined, view('n4'))).toBeUndefined();
  });
});

describe('the rows', () => {
  const now = new Date(2026, 10, 28, 15).getTime();
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();

  test('are grouped by day, and within a day by project, newest first; what is about no project has no heading', () => {
    const views = [
      view('n5', { dateAdded: at(28, 14) }),
      view('n4', { dateAdded: at(28, 13), parentResourceId: null, parentResourceName: null }),
      view('n3', { dateAdded: at(28, 12), parentResourceId: 'tune', parentResourceName: 'Tune' }),
      view('n2', { dateAdded: at(28, 11) }),
      view('n1', { dateAdded: at(27, 23) }),
      view('n0', { dateAdded: at(20, 9) }),
    ];
    expect(notificationRows(views, now).map((row) => (row.kind === 'entry' ? row.id : `${row.kind} ${row.label}`))).toEqual([
      'day Today',
      'resource Song',
      'n5',
      'n2',
      'n4',
      'resource Tune',
      'n3',
      'day Yesterday',
      'resource Song',
      'n1',
      'day Friday, 20 November 2026',
      'resource Song',
      'n0',
    ]);
  });
});
