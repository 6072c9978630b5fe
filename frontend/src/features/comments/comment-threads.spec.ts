import { describe, expect, test } from '@jest/globals';
import { aComment, aReply } from '../../testing/comments';
import { isSameThread } from '../../shared/posts/threads';
import { threadsOf } from './comment-threads';

describe('rebuilt after a new comment', () => {
  const comments = [aComment('c1', { replyIds: ['r1'] }), aReply('r1', 'c1'), aComment('c2')];
  const before = threadsOf(comments, 'ana');
  const changed = (next: typeof comments) => threadsOf(next, 'ana').filter((thread) => !before.some((one) => isSameThread(one, thread)));

  test('a thread without the comment is unchanged', () => {
    expect(changed([...comments, aComment('c3')]).map(({ first }) => first._id)).toEqual(['c3']);
  });

  test('a thread with a reply added, removed or edited is changed', () => {
    expect(changed([...comments, aReply('r2', 'c1')]).map(({ first }) => first._id)).toEqual(['c1']);
    expect(changed(comments.filter(({ _id }) => _id !== 'r1')).map(({ first }) => first._id)).toEqual(['c1']);
    expect(changed(comments.map((one) => (one._id === 'r1' ? aReply('r1', 'c1', { content: 'Later' }) : one))).map(({ first }) => first._id)).toEqual(['c1']);
    expect(changed(comments.map((one) => (one._id === 'c2' ? aComment('c2', { content: 'Softer' }) : one))).map(({ first }) => first._id)).toEqual(['c2']);
  });
});
