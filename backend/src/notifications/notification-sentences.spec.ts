import { describe, expect, test } from '@jest/globals';
import { kindOfPush, NOTIFICATION_TYPES, type NotificationType, type PushKind } from '@roughmix/contracts/notifications/notification.types.js';
import { roleText, type SentenceFacts, sentenceOf } from './notification-sentences.js';

const facts: SentenceFacts = { actor: 'N', parent: 'P', resource: 'V', detail: null, quote: '…', count: 12, isOwn: false };

type Row = readonly [type: NotificationType, sentence: string, gone: string, push: PushKind | null, special?: Partial<SentenceFacts>];

/** Of each type the sentence, the sentence without its quoted text, and the setting that pushes it. */
const ROWS: readonly Row[] = [
  ['UsersNew', 'Welcome to Roughmix', 'Welcome to Roughmix', null],
  ['CollectionAdded', 'You added the collection T', 'You added the collection T', null, { resource: 'T' }],
  ['CollectionEdited', 'You changed the collection T', 'You changed the collection T', null, { resource: 'T' }],
  ['CollectionRemoved', 'You removed the collection T', 'You removed the collection T', null, { resource: 'T' }],
  ['ProjectAdded', 'You added the project P', 'You added the project P', null],
  ['ProjectName', 'N renamed Old to P', 'N renamed Old to P', 'activity', { detail: 'Old' }],
  ['ProjectDescription', 'N changed the description of P', 'N changed the description of P', 'activity'],
  ['ProjectUsersInvited', 'N invited you to P: …', 'N invited you to P', 'invitations'],
  ['ProjectUsersRemoved', 'N removed you from P', 'N removed you from P', 'invitations'],
  ['ProjectUsersRemoved', 'N left P', 'N left P', 'invitations', { detail: 'left' }],
  ['ProjectPermissions', 'N changed what you may do in P: Viewer', 'N changed what you may do in P: Viewer', 'invitations', { detail: 'Viewer' }],
  ['ProjectRemoved', 'N removed P', 'N removed P', 'activity'],
  ['ProjectCompleted', 'N marked P as completed', 'N marked P as completed', 'activity'],
  ['VersionAdded', 'You added version V to P', 'You added version V to P', null],
  ['VersionAddedNotifyOwner', 'N added version V to P: …', 'N added version V to P', 'activity'],
  ['VersionAddedNotifyUsers', 'N added version V to P: …', 'N added version V to P', 'activity'],
  ['VersionRemoved', 'You removed version V from P', 'You removed version V from P', null],
  ['VersionRemovedNotifyOwner', 'N removed version V from P', 'N removed version V from P', 'activity'],
  ['VersionRemovedNotifyUsers', 'N removed version V from P', 'N removed version V from P', 'activity'],
  ['RegionEdited', 'N changed a region you tagged in P', 'N changed a region you tagged in P', 'activity'],
  ['RegionRemoved', 'N removed a region you tagged in P', 'N removed a region you tagged in P', 'activity'],
  ['TodoAdded', 'N added a todo to P: …', 'N added a todo to P', 'activity'],
  ['CommentAdded', 'N commented on P: …', 'N commented on P', 'activity'],
  ['TodoReply', 'N replied to your todo in P: …', 'N replied to your todo in P', 'replies'],
  ['CommentReply', 'N replied to your comment in P: …', 'N replied to your comment in P', 'replies'],
  ['ReplyReply', 'N also replied in P: …', 'N also replied in P', 'replies'],
  ['TodoTaggedUser', 'N mentioned you in P: …', 'N mentioned you in P', 'mentions'],
  ['CommentTaggedUser', 'N mentioned you in P: …', 'N mentioned you in P', 'mentions'],
  ['TodoReminder', 'Due in 15 minutes: … (P)', 'Due in 15 minutes', 'todoReminders', { detail: 'Due in 15 minutes' }],
  ['TodoCompleted', 'N completed your todo in P: …', 'N completed your todo in P', 'activity', { isOwn: true }],
  ['TodoCompleted', 'N completed a todo in P: …', 'N completed a todo in P', 'activity'],
  ['CompleteShared', 'N completed a todo in P (2.1): …', 'N completed a todo in P (2.1)', 'activity', { detail: '2.1' }],
  ['CompleteShared', 'N completed a todo in P: …', 'N completed a todo in P', 'activity'],
  ['RemovalShared', 'P 2.1 is no longer shared with G', 'P 2.1 is no longer shared with G', 'activity', { parent: 'G', resource: 'P 2.1' }],
  ['GroupCommentAdded', 'N posted in P: …', 'N posted in P', 'activity'],
  ['GroupCommentsBulk', '12 new posts in P', '12 new posts in P', 'activity'],
  ['GroupCommentRemoved', 'N removed your post in P', 'N removed your post in P', 'activity'],
  ['GroupCommentLiked', 'N liked your post in P', 'N liked your post in P', 'activity'],
  ['GroupCommentDisliked', 'Somebody disliked your post in P', 'Somebody disliked your post in P', 'activity'],
  ['GroupMediaLiked', 'N liked P 2.1 in G', 'N liked P 2.1 in G', 'activity', { parent: 'G', resource: 'P 2.1' }],
  ['GroupCommentTaggedUser', 'N mentioned you in P: …', 'N mentioned you in P', 'mentions'],
  ['GroupMediaAdded', 'N shared P 2.1 with G', 'N shared P 2.1 with G', 'activity', { parent: 'G', resource: 'P 2.1' }],
  ['GroupMediaRemoved', 'N removed P 2.1 from G', 'N removed P 2.1 from G', 'activity', { parent: 'G', resource: 'P 2.1' }],
];

test.each(ROWS)('%s says "%s"', (type, sentence, ...[gone, push, special = {}]) => {
  expect(sentenceOf(type, { ...facts, ...special })).toBe(sentence);
  expect(sentenceOf(type, { ...facts, ...special, quote: null })).toBe(gone);
  expect(kindOfPush(type)).toBe(push);
});

test('names and quotes leave the direction of the sentence alone', () => {
  const turned = { actor: '\u202eavE', parent: 'עדי', quote: 'a\u202e' };
  expect(sentenceOf('CommentAdded', { ...facts, ...turned })).toBe('\u2068\u202eavE\u2069 commented on \u2068עדי\u2069: \u2068a\u202e\u2069');
  expect(sentenceOf('ProjectName', { ...facts, detail: '\u202edlO' })).toBe('N renamed \u2068\u202edlO\u2069 to P');
});

test('every type has a sentence', () => {
  expect([...new Set(ROWS.map(([type]) => type))].toSorted()).toEqual([...NOTIFICATION_TYPES].toSorted());
});

describe('a role', () => {
  test.each([
    [{ access: 0, write: true }, 'Collaborator'],
    [{ access: 0, write: false }, 'Viewer'],
    [{ access: 1, write: false }, 'Viewer with comments'],
    [{ access: 2, write: false }, 'Viewer with downloads'],
    [{ access: 3, write: false }, 'Viewer with comments and downloads'],
  ] as const)('of %j is %s', (grant, text) => {
    expect(roleText(grant)).toBe(text);
  });
});
