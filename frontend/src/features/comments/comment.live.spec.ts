import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { CommentPush } from '@roughmix/contracts/live.js';
import { QueryClient } from '@tanstack/react-query';
import { handle } from '../../shared/live/handlers';
import { commentLive } from './comment.live';
import { dropTags } from '../../shared/posts/drop-tags';
import { commentsOf } from './comments.queries';
import { threadsOf } from './comment-threads';
import { aComment, aReply } from '../../testing/comments';

let cache: QueryClient;
const facts = { projectId: 'p1', actorUid: 'bob', commandId: null };
const list = () => cache.getQueryData(commentsOf('p1').queryKey) ?? [];
const push = (message: CommentPush) => handle(commentLive, cache, message);
/** As rooms are sent it: without what differs between viewers. */
const forRoom = ({ negs: _negs, negCount: _negCount, ...view }: ReturnType<typeof aComment>): CommentView => view;

beforeEach(() => {
  cache = new QueryClient();
  cache.setQueryData(commentsOf('p1').queryKey, [aComment('c1', { negs: ['ana'], negCount: 2, position: 10 })]);
});

describe('live comments', () => {
  test('are added once, however often the push arrives', () => {
    const added = { ...facts, type: 'CommentAdded', view: aComment('c2', { position: 11 }), position: 11 } as const;
    push(added);
    push(added);
    expect(list().map(({ _id }) => _id)).toEqual(['c1', 'c2']);
  });

  test('keep what rooms are not sent: own dislikes and the count of dislikes', () => {
    push({ ...facts, type: 'CommentRated', view: forRoom(aComment('c1', { likes: ['bob'], position: 12 })), position: 12 });
    expect(list()[0]).toMatchObject({ likes: ['bob'], negs: ['ana'], negCount: 2, position: 12 });
  });

  test('take what was sent to the user alone', () => {
    push({ ...facts, type: 'CommentRated', view: aComment('c1', { negs: [], negCount: 0, position: 12 }), position: 12 });
    expect(list()[0]).toMatchObject({ negs: [], negCount: 0 });
  });

  test('ignore pushes that are older than the cache', () => {
    push({ ...facts, type: 'CommentEdited', view: aComment('c1', { content: 'newer', position: 20 }), position: 20 });
    push({ ...facts, type: 'CommentEdited', view: aComment('c1', { content: 'older', position: 15 }), position: 15 });
    expect(list()[0]?.content).toBe('newer');
  });

  test('are removed from the list', () => {
    push({ ...facts, type: 'CommentReplyAdded', view: aReply('r1', 'c1'), position: 11 });
    push({ ...facts, type: 'CommentReplyRemoved', ids: ['r1'], position: 12 });
    expect(list().map(({ _id }) => _id)).toEqual(['c1']);
    push({ ...facts, type: 'CommentRemoved', ids: ['c1'], position: 13 });
    expect(list()).toEqual([]);
  });

  test('are ignored until the page has loaded', () => {
    cache.clear();
    push({ ...facts, type: 'CommentAdded', view: aComment('c2'), position: 11 });
    expect(cache.getQueryData(commentsOf('p1').queryKey)).toBeUndefined();
  });
});

test('a removed region is removed from the comments tagged with it', () => {
  const tag = { _id: 'r1', tag: 'mix', timespan: '0:01 – 0:02', start: 1, end: 2, childRegion: null } as const;
  cache.setQueryData(commentsOf('p1').queryKey, [aComment('c1', { taggedRegions: [tag] }), aComment('c2')]);
  dropTags(cache, commentsOf('p1').queryKey, new Set(['r1']));
  expect(list().map((comment) => comment.removed || comment.taggedRegions)).toEqual([[], []]);
});

test('threads are sorted newest first, replies oldest first; a removed comment stays only while it has replies', () => {
  const gone: CommentView = { _id: 'c3', projectId: 'p1', removed: true, content: null, user: null, dateAdded: 3, replyIds: ['r3'], position: 4 };
  const alone: CommentView = { ...gone, _id: 'c4', dateAdded: 4, replyIds: [] };
  const waiting = { mediaUrl: null, filename: 'a.png', dateAdded: 5, width: null, height: null };
  const comments = [
    aComment('c1', { dateAdded: 1 }),
    aReply('r2', 'c1', { dateAdded: 9 }),
    aReply('r1', 'c1', { dateAdded: 8 }),
    gone,
    aReply('r3', 'c3', { dateAdded: 7 }),
    alone,
    aComment('c5', { dateAdded: 5, type: 'image', content: waiting }),
  ];
  const shape = (uid: string) => threadsOf(comments, uid).map(({ first, replies }) => [first._id, ...replies.map(({ _id }) => _id)]);
  expect(shape('ana')).toEqual([
    ['c3', 'r3'],
    ['c1', 'r1', 'r2'],
  ]);
  expect(shape('bob')).toEqual([['c5'], ['c3', 'r3'], ['c1', 'r1', 'r2']]);
});
