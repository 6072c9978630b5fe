import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CollectionEvent } from '@roughmix/contracts/collections/collection.events.js';
import { NOTIFICATION_TYPES, setOf } from '@roughmix/contracts/notifications/notification.types.js';
import { NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import type { UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import { DEFAULT_SETTINGS, NO_INFO } from '@roughmix/contracts/users/user.view.js';
import type { StoredEvent } from '../kernel/event.js';
import { madeAt, notificationsStarted, projected } from '../testing/made-notifications.js';
import { anAudioFile, aProject, type ProjectHistory } from '../testing/project-history.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

type ProjectRow = readonly [what: string, history: ProjectHistory, expected: readonly string[]];
const eventsOf = (history: ProjectHistory): readonly StoredEvent[] => history.beginningAt(2).events;
/** The histories of all tables below. */
const tables: (readonly (readonly StoredEvent[])[])[] = [];

/** `receiver: Type`, sorted, as the last event made them; with ' (read)' for those that are read from the start. */
async function told(events: readonly StoredEvent[]): Promise<readonly string[]> {
  const made = await madeAt(await projected(stores, [notificationsStarted(), ...events]), events.at(-1)?.position ?? 0);
  return made.map(({ receiverId, type, isMarkedUnread }) => `${receiverId}: ${type}${isMarkedUnread ? '' : ' (read)'}`);
}
const toldBy = (history: ProjectHistory): Promise<readonly string[]> => told(eventsOf(history));

/** Owned by Ana, shared with Bob and Cleo. Dan is a stranger. */
const project = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob', { write: true }).sharedWith('cleo');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const bobRemoved = project.without('bob');
const bobLeft = project.and({ type: 'ProjectLeft', data: { uid: 'bob' } }, 'bob');
const addition = (...uids: readonly string[]) =>
  ({ type: 'ProjectUsersInvited', data: { invited: uids.map((uid) => ({ uid, access: 1, write: false }) as const), message: '' } }) as const;
const marks = { taggedRegions: [], stamp: null };
const edited = (taggedUsers: readonly string[]) =>
  ({ type: 'CommentEdited', data: { commentId: 'c1', content: 'Now', taggedUsers, from: marks, to: marks } }) as const;
const todoEdited = (taggedUsers: readonly string[]) =>
  ({ type: 'TodoEdited', data: { todoId: 't1', text: { content: 'Now', taggedUsers, from: marks, to: marks }, due: null } }) as const;
const reply = (taggedUsers: readonly string[]) =>
  ({ type: 'CommentReplyAdded', data: { commentId: 'c9', parentCommentId: 'c1', content: 'Yes', versionId: null, taggedUsers, marks } }) as const;
const reminder = { label: '15 minutes before', at: 1_700_000_000_000 } as const;
const tutorialVersion = {
  type: 'VersionAdded',
  data: { versionId: 'v1', major: 1, minor: 0, tinySummary: 'x', taggedUsers: [], uploadId: 'u', file: anAudioFile({ key: 'tutorial/take.flac' }) },
} as const;

describe('in a project', () => {
  const inProjects: readonly ProjectRow[] = [
    ['creating it notifies nobody', aProject().ownedBy('ana'), []],
    ['its first version is in its owner’s log as the project', aProject().ownedBy('ana').withVersion('v1'), ['ana: ProjectAdded (read)']],
    ['so are versions of the tutorial not', aProject().ownedBy('ana').and(tutorialVersion), []],
    ['an invitation notifies the invited', project.sharedWith('dan'), ['dan: ProjectUsersInvited']],
    ['a removal notifies the removed', project.without('bob', 'cleo'), ['bob: ProjectUsersRemoved', 'cleo: ProjectUsersRemoved']],
    ['adding someone again within a day notifies nobody', bobRemoved.later(DAY - 4_000).sharedWith('bob'), []],
    [
      'so does removing them again',
      bobRemoved
        .sharedWith('bob')
        .later(DAY - 3_000)
        .without('bob'),
      [],
    ],
    ['however often', bobRemoved.sharedWith('bob').without('bob').sharedWith('bob').without('bob').sharedWith('bob'), []],
    ['others who are added with them are notified', bobRemoved.and(addition('bob', 'dan')), ['dan: ProjectUsersInvited']],
    ['others who are removed with them are notified', bobRemoved.sharedWith('bob').without('bob', 'cleo'), ['cleo: ProjectUsersRemoved']],
    ['adding them again a day after they were last notified notifies them', bobRemoved.later(DAY).sharedWith('bob'), ['bob: ProjectUsersInvited']],
    ['as does removing them again', bobRemoved.sharedWith('bob').later(DAY).without('bob'), ['bob: ProjectUsersRemoved']],
    ['someone who left and is added again within a day is not notified', bobLeft.later(HOUR).sharedWith('bob'), []],
    ['the removal of an erased person notifies nobody', project.and({ type: 'ProjectUsersRemoved', data: { uids: ['bob'] } }, null), []],
    ['leaving notifies the owner', project.and({ type: 'ProjectLeft', data: { uid: 'bob' } }, 'bob'), ['ana: ProjectUsersRemoved']],
    [
      'changed permissions notify the person concerned',
      project.withPermissions('bob', { access: 3, write: true }, { access: 0, write: false }),
      ['bob: ProjectPermissions'],
    ],
    ['a new name notifies the members', project.and({ type: 'ProjectRenamed', data: { from: 'A', to: 'B' } }), ['bob: ProjectName', 'cleo: ProjectName']],
    [
      'a new description notifies the members',
      project.and({ type: 'ProjectDescriptionEdited', data: { from: '', to: 'B' } }),
      ['bob: ProjectDescription', 'cleo: ProjectDescription'],
    ],
    [
      'completing it notifies the members',
      project.and({ type: 'ProjectCompletionChanged', data: { from: false, to: true } }),
      ['bob: ProjectCompleted', 'cleo: ProjectCompleted'],
    ],
    ['taking that back notifies nobody', project.and({ type: 'ProjectCompletionChanged', data: { from: true, to: false } }), []],
    ['removing it notifies the members', project.removed(), ['bob: ProjectRemoved', 'cleo: ProjectRemoved']],
    ['visibility notifies nobody', project.made('public'), []],
    ['a note notifies nobody', project.withNote('Hello'), []],
    ['taking it over notifies nobody', project.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'bob' } }, 'bob'), []],
    [
      'after that the new owner gets what the owner gets',
      project.and({ type: 'ProjectTakenOver', data: { from: 'ana', to: 'bob' } }, 'bob').and({ type: 'ProjectLeft', data: { uid: 'cleo' } }, 'cleo'),
      ['bob: ProjectUsersRemoved'],
    ],
    [
      'a version of another member notifies the owner and the others in their own ways',
      project.withVersion('v2', { by: 'bob' }),
      ['ana: VersionAddedNotifyOwner', 'bob: VersionAdded (read)', 'cleo: VersionAddedNotifyUsers'],
    ],
    [
      'a version of the owner notifies the members',
      project.withVersion('v2'),
      ['ana: VersionAdded (read)', 'bob: VersionAddedNotifyUsers', 'cleo: VersionAddedNotifyUsers'],
    ],
    [
      'removing a version notifies the same people',
      project.withVersion('v2', { by: 'bob' }).and({ type: 'VersionRemoved', data: { versionId: 'v2' } }, 'bob'),
      ['ana: VersionRemovedNotifyOwner', 'bob: VersionRemoved (read)', 'cleo: VersionRemovedNotifyUsers'],
    ],
    ['replacing a version notifies nobody', project.rejected('v1').replaced('v1', 'u2'), []],
    ['rejecting a version notifies nobody', project.rejected('v1'), []],
  ];
  tables.push(inProjects.map(([, history]) => eventsOf(history)));
  test.each(inProjects)('%s', async (_what, history, expected) => {
    expect(await toldBy(history)).toEqual(expected);
  });
});

describe('a region', () => {
  const tagged = project
    .withRegion('r1', { by: 'ana' })
    .withComment('c1', { by: 'bob', tags: ['r1'] })
    .withTodo('t1', { by: 'bob', tags: ['r1'] })
    .withReply('c2', { by: 'ana', to: 'c1', tags: ['r1'] })
    .withTodoReply('t2', { by: 'cleo', to: 't1', tags: ['r1'] });
  const span = { start: 1, end: 2, tag: 'mix', label: null } as const;
  const changed = { type: 'RegionEdited', data: { regionId: 'r1', from: span, to: span } } as const;
  const withVersions: readonly ProjectRow[] = [
    ['that changes notifies each author of tagged posts once', tagged.and(changed), ['bob: RegionEdited', 'cleo: RegionEdited']],
    [
      'that is removed notifies the same authors',
      tagged.withoutRegion('r1', { untags: ['c1', 'c2'], todoIds: ['t1', 't2'] }),
      ['bob: RegionRemoved', 'cleo: RegionRemoved'],
    ],
    ['without tagged posts notifies nobody', project.withRegion('r1').and(changed), []],
    ['notifies nobody who is no longer a member', tagged.without('bob').and(changed), ['cleo: RegionEdited']],
    [
      'notifies no author of a post that was removed or has no tag any more',
      tagged
        .withoutTodoReply('t2', { by: 'cleo', from: 't1' })
        .withoutComment('c1', { by: 'bob', gone: [] })
        .and({ type: 'TodoEdited', data: { todoId: 't1', text: { content: 'x', taggedUsers: [], from: marks, to: marks }, due: null } }, 'bob')
        .and(changed),
      [],
    ],
    ['that is new notifies nobody', project.withRegion('r1'), []],
  ];
  tables.push(withVersions.map(([, history]) => eventsOf(history)));
  test.each(withVersions)('%s', async (_what, history, expected) => {
    expect(await toldBy(history)).toEqual(expected);
  });
});

describe('a comment', () => {
  const commented = project.withComment('c1', { by: 'bob' });
  const ofRegions: readonly ProjectRow[] = [
    ['notifies the members', commented, ['ana: CommentAdded', 'cleo: CommentAdded']],
    ['mentions rather than adds', project.withComment('c1', { by: 'bob', taggedUsers: ['cleo'] }), ['ana: CommentAdded', 'cleo: CommentTaggedUser']],
    [
      'does not notify strangers, mentioned or not, or its author',
      project.withComment('c1', { by: 'ana', taggedUsers: ['dan', 'ana'] }),
      ['bob: CommentAdded', 'cleo: CommentAdded'],
    ],
    ['with an image notifies nobody before the image is there', project.withComment('c1', { by: 'bob', kind: 'image' }), []],
    [
      'with an image notifies the members then',
      project.withComment('c1', { by: 'bob', kind: 'image' }).withImage('c1', { by: 'bob' }),
      ['ana: CommentAdded', 'cleo: CommentAdded'],
    ],
    ['with a reply notifies its author only', commented.withReply('c2', { by: 'ana', to: 'c1' }), ['bob: CommentReply']],
    [
      'with more replies also their authors, once each',
      commented.withReply('c2', { by: 'ana', to: 'c1' }).withReply('c3', { by: 'ana', to: 'c1' }).withReply('c4', { by: 'cleo', to: 'c1' }),
      ['ana: ReplyReply', 'bob: CommentReply'],
    ],
    [
      'whose author replies takes precedence over their replies',
      commented.withReply('c2', { by: 'bob', to: 'c1' }).withReply('c3', { by: 'ana', to: 'c1' }),
      ['bob: CommentReply'],
    ],
    [
      'whose reply mentions people says that rather than that they are replied to',
      commented.withReply('c2', { by: 'cleo', to: 'c1' }).and(reply(['bob', 'cleo']), 'ana'),
      ['bob: CommentTaggedUser', 'cleo: CommentTaggedUser'],
    ],
    [
      'that was removed has no author to notify',
      commented.withReply('c2', { by: 'cleo', to: 'c1' }).withoutComment('c1', { by: 'bob', gone: [] }).withReply('c3', { by: 'ana', to: 'c1' }),
      ['cleo: ReplyReply'],
    ],
    [
      'that is edited notifies those whom it newly mentions',
      project.withComment('c1', { by: 'bob', taggedUsers: ['ana'] }).and(edited(['ana', 'cleo']), 'bob'),
      ['cleo: CommentTaggedUser'],
    ],
    ['that is edited again mentions them no more', commented.and(edited(['cleo']), 'bob').and(edited(['cleo']), 'bob'), []],
    ['that is rated notifies nobody', commented.rated('c1', { by: 'ana', to: 'likes' }), []],
    ['that is removed notifies nobody', commented.withoutComment('c1', { by: 'bob', gone: ['c1'] }), []],
  ];
  tables.push(ofRegions.map(([, history]) => eventsOf(history)));
  test.each(ofRegions)('%s', async (_what, history, expected) => {
    expect(await toldBy(history)).toEqual(expected);
  });
});

describe('a todo', () => {
  const added = project.withTodo('t1', { by: 'bob' });
  const version = { versionId: 'v1', majorUpdate: 1, minorUpdate: 0 };
  const ofComments: readonly ProjectRow[] = [
    ['notifies the members', added, ['ana: TodoAdded', 'cleo: TodoAdded']],
    ['mentions rather than adds', project.withTodo('t1', { by: 'bob', taggedUsers: ['cleo'] }), ['ana: TodoAdded', 'cleo: TodoTaggedUser']],
    ['with a reply notifies its author only', added.withTodoReply('t2', { by: 'cleo', to: 't1' }), ['bob: TodoReply']],
    [
      'with more replies also their authors',
      added.withTodoReply('t2', { by: 'cleo', to: 't1' }).withTodoReply('t3', { by: 'ana', to: 't1' }),
      ['bob: TodoReply', 'cleo: ReplyReply'],
    ],
    ['that is edited notifies those whom it newly mentions', added.and(todoEdited(['cleo']), 'bob'), ['cleo: TodoTaggedUser']],
    ['with a new due date notifies nobody', added.withTodoDue('t1', NOT_DUE, { dueDate: 5, reminder: null }, { by: 'bob' }), []],
    [
      'completed by a third member notifies author, owner and the others in their own ways',
      project.sharedWith('dan').withTodo('t1', { by: 'bob' }).completing('t1', { by: 'cleo', version }),
      ['ana: TodoCompleted', 'bob: TodoCompleted', 'dan: CompleteShared'],
    ],
    ['completed by its author notifies the owner', added.completing('t1', { by: 'bob' }), ['ana: TodoCompleted', 'cleo: CompleteShared']],
    [
      'of the owner, completed by another, notifies the owner once',
      project.withTodo('t1').completing('t1', { by: 'bob' }),
      ['ana: TodoCompleted', 'cleo: CompleteShared'],
    ],
    [
      'that is due notifies its author and those it mentions',
      project.withTodo('t1', { by: 'bob', taggedUsers: ['ana', 'bob', 'dan'] }).reminded('t1', reminder),
      ['ana: TodoReminder', 'bob: TodoReminder'],
    ],
    [
      'whose author left notifies the others only',
      project
        .withTodo('t1', { by: 'bob', taggedUsers: ['ana'] })
        .without('bob')
        .reminded('t1', reminder),
      ['ana: TodoReminder'],
    ],
    ['whose reminder is skipped notifies nobody', added.and({ type: 'TodoReminderSkipped', data: { todoId: 't1', reminder } }, null), []],
    ['that is removed notifies nobody', added.withoutTodo('t1', { by: 'bob' }), []],
  ];
  tables.push(ofComments.map(([, history]) => eventsOf(history)));
  test.each(ofComments)('%s', async (_what, history, expected) => {
    expect(await toldBy(history)).toEqual(expected);
  });
});

describe('outside projects', () => {
  const of = (event: UserStreamEvent | CollectionEvent, actorUid: string | null = 'ana'): StoredEvent =>
    storedEvent(event, { stream: 'user-ana', revision: 0, position: 5, actorUid });
  const registered = (facts: object): StoredEvent =>
    of({ type: 'UserRegistered', data: { uid: 'ana', username: 'ana', firstName: '', lastName: '', guest: false, ...facts } }, null);
  const collection = { collectionId: 'k1', ownerUid: 'ana' };
  const outside: readonly (readonly [what: string, event: StoredEvent, expected: readonly string[]])[] = [
    ['an account without names is not welcomed yet', registered({}), []],
    ['an account with both names is welcomed', registered({ firstName: 'Ana', lastName: 'Lund' }), ['ana: UsersNew']],
    ['the guest is not', registered({ firstName: 'Guest', lastName: 'Guest', guest: true }), []],
    ['the welcome form is answered with a welcome', of({ type: 'UserProfileCompleted', data: { uid: 'ana' } }), ['ana: UsersNew']],
    ['a new profile text notifies nobody', of({ type: 'UserInfoEdited', data: { uid: 'ana', info: NO_INFO } }), []],
    ['new settings notify nobody', of({ type: 'UserSettingsEdited', data: { uid: 'ana', settings: DEFAULT_SETTINGS } }), []],
    [
      'a new collection is in its owner’s log',
      of({ type: 'CollectionAdded', data: { ...collection, title: 'x', projectIds: [] } }),
      ['ana: CollectionAdded (read)'],
    ],
    [
      'so is a changed one',
      of({ type: 'CollectionEdited', data: { ...collection, from: 'x', to: 'y', added: [], removed: [] } }),
      ['ana: CollectionEdited (read)'],
    ],
    ['so is a removed one', of({ type: 'CollectionRemoved', data: { ...collection, title: 'x' } }), ['ana: CollectionRemoved (read)']],
  ];
  tables.push(outside.map(([, event]) => [event]));
  test.each(outside)('%s', async (_what, event, expected) => {
    expect(await told([event])).toEqual(expected);
  });
});

test('every type that is not about groups is made by a rule, except RemovalShared, which comes with groups', async () => {
  const made = new Set<string>();
  for (const events of tables.flat()) for (const line of await told(events)) made.add(line.replace(/^\w+: | \(read\)$/g, ''));
  const expected = NOTIFICATION_TYPES.filter((type) => setOf(type) === 'other' && type !== 'RemovalShared');
  expect([...made].toSorted()).toEqual(expected.toSorted());
});

test('each event of a command counts: a project that is renamed and completed at once notifies twice', async () => {
  const history = project
    .beginningAt(2)
    .and({ type: 'ProjectRenamed', data: { from: 'A', to: 'B' } }, 'ana', 'one')
    .and({ type: 'ProjectCompletionChanged', data: { from: false, to: true } }, 'ana', 'one');
  const documents = await projected(stores, [notificationsStarted(), ...history.events]);
  const types = (await Promise.all(history.events.slice(-2).map(({ position }) => madeAt(documents, position))))
    .flat()
    .map(({ receiverId, type }) => `${receiverId}: ${type}`);
  expect(types).toEqual(['bob: ProjectName', 'cleo: ProjectName', 'bob: ProjectCompleted', 'cleo: ProjectCompleted']);
});

test('an erased owner, who stays the owner until someone takes over, gets no notifications', async () => {
  const erased = storedEvent<UserStreamEvent>({ type: 'UserErased', data: { uid: 'ana' } }, { stream: 'user-ana', revision: 1, position: 90 });
  const later = project.withComment('c1', { by: 'bob' }).events.at(-1);
  if (later === undefined) throw new Error('there is no event');
  expect(await told([...project.beginningAt(2).events, erased, { ...later, position: 91 }])).toEqual(['cleo: CommentAdded']);
});
