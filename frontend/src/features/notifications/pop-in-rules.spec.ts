import { describe, expect, test } from '@jest/globals';
import { NOTIFICATION_TYPES, type NotificationType, setOf } from '@roughmix/contracts/notifications/notification.types.js';
import { personCalled } from '../../testing/people-and-projects';
import { notificationOf } from './notification-fixture';
import { popsIn } from './pop-in-rules';

const bob = personCalled('Bob');
const of = (type: NotificationType) => notificationOf(bob, { type });
const shown = (viewed: string | null) => NOTIFICATION_TYPES.filter((type) => popsIn(of(type), viewed));

const ANYWHERE: readonly NotificationType[] = [
  'CollectionAdded',
  'CollectionEdited',
  'CollectionRemoved',
  'ProjectAdded',
  'ProjectName',
  'ProjectDescription',
  'ProjectUsersInvited',
  'ProjectUsersRemoved',
  'ProjectRemoved',
  'ProjectCompleted',
  'VersionAdded',
  'VersionAddedNotifyUsers',
  'VersionAddedNotifyOwner',
  'VersionRemoved',
  'VersionRemovedNotifyUsers',
  'VersionRemovedNotifyOwner',
  'RegionEdited',
  'RegionRemoved',
  'TodoReminder',
  'RemovalShared',
];
const TALK: readonly NotificationType[] = [
  'TodoAdded',
  'TodoReply',
  'TodoTaggedUser',
  'TodoCompleted',
  'CompleteShared',
  'CommentAdded',
  'CommentReply',
  'CommentTaggedUser',
  'ReplyReply',
];

describe('a pop-in', () => {
  test('shows comments and todos unless their project is open, permissions only if it is, and everything else anywhere', () => {
    expect(shown(null).toSorted()).toEqual([...ANYWHERE, ...TALK].toSorted());
    expect(shown('another').toSorted()).toEqual([...ANYWHERE, ...TALK].toSorted());
    expect(shown('song').toSorted()).toEqual([...ANYWHERE, 'ProjectPermissions'].toSorted());
  });

  test('never shows the welcome card, groups, what is read, or what the user did', () => {
    expect(NOTIFICATION_TYPES.filter((type) => setOf(type) === 'groups' && popsIn(of(type), null))).toEqual([]);
    expect(popsIn(of('UsersNew'), null)).toBe(false);
    expect(popsIn({ ...of('CommentAdded'), isUnread: false }, null)).toBe(false);
    expect(popsIn({ ...of('VersionAdded'), userId: 'ana' }, null)).toBe(false);
  });

  test('a reminder, which nobody caused, is shown on the page of its project too', () => {
    expect(popsIn(notificationOf(null, { type: 'TodoReminder' }), 'song')).toBe(true);
  });
});
