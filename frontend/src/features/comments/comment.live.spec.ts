import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { CommentPush } from '@roughmix/contracts/live.js';
import { QueryClient } from '@tanstack/react-query';
import { handle } from '../../shared/live/handlers';
import { commentLive } from './comment.live';
import { commentsOf, dropTags } from './comments.queries';
import { threadsOf } from './comment-threads';
import { aComment, aReply } from '../../testing/comments';

let cache: QueryClient;
const facts = { projectId: 'p1', actorUid: 'bob', commandId: null };
const list = () => cache.getQueryData(commentsOf('p1').queryKey) ?? [];
const hear = (push: CommentPush) => handle(commentLive, cache, push);
/** As a room hears it: without what differs between viewers. */
const forRoom = ({ negs: _negs, negCount: _negCount, ...view }: ReturnType<typeof aComment>): CommentView => view;

beforeEach(() => {
  cache = new QueryClient();
  cache.setQueryData(commentsOf('p1').queryKey, [aComment('c1', { negs: ['ana'], negCount: 2, position: 10 })]);
});

describe('live comments', () => {
  test('come in once, however often they are told', () => {
    const push = { ...facts, type: 'CommentAdded', view: aComment('c2', { position: 11 }), position: 11 } as const;
    hear(push);
    hear(push);
    expect(list().map(({ _id }) => _id)).toEqual(['c1', 'c2']);
  });

  test('keep what a room does not say: my dislike and the count of dislikes', () => {
    hear({ ...facts, type: 'CommentRated', view: forRoom(aComment('c1', { likes: ['bob'], position: 12 })), position: 12 });
    expect(list()[0]).toMatchObject({ likes: ['bob'], negs: ['ana'], negCount: 2, position: 12 });
  });

  test('take what was said to me alone', () => {
    hear({ ...facts, type: 'CommentRated', view: aComment('c1', { negs: [], negCount: 0, position: 12 }), position: 12 });
    expect(list()[0]).toMatchObject({ negs: [], negCount: 0 });
  });

  test('never go back to an older state', () => {
    hear({ ...facts, type: 'CommentEdited', view: aComment('c1', { content: 'newer', position: 20 }), position: 20 });
    hear({ ...facts, type: 'CommentEdited', view: aComment('c1', { content: 'older', position: 15 }), position: 15 });
    expect(list()[0]?.content).toBe('newer');
  });

  test('leave when they are removed', () => {
    hear({ ...facts, type: 'CommentReplyAdded', view: aReply('r1', 'c1'), position: 11 });
    hear({ ...facts, type: 'CommentReplyRemoved', ids: ['r1'], position: 12 });
    expect(list().map(({ _id }) => _id)).toEqual(['c1']);
    hear({ ...facts, type: 'CommentRemoved', ids: ['c1'], position: 13 });
    expect(list()).toEqual([]);
  });

  test('before the page has loaded there is nothing to keep', () => {
    cache.clear();
    hear({ ...facts, type: 'CommentAdded', view: aComment('c2'), position: 11 });
    expect(cache.getQueryData(commentsOf('p1').queryKey)).toBeUndefined();
  });
});

test('a region that is gone leaves the comments tagged with it', () => {
  const tag = { _id: 'r1', tag: 'mix', timespan: '0:01 – 0:02', start: 1, end: 2, childRegion: null } as const;
  cache.setQueryData(commentsOf('p1').queryKey, [aComment('c1', { taggedRegions: [tag] }), aComment('c2')]);
  dropTags(cache, 'p1', new Set(['r1']));
  expect(list().map((comment) => comment.removed || comment.taggedRegions)).toEqual([[], []]);
});

test('threads stand newest first, replies oldest first; a removed comment stays for its replies alone', () => {
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
