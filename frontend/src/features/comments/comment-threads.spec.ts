import { describe, expect, test } from '@jest/globals';
import { aComment, aReply } from '../../testing/comments';
import { isSameThread, threadsOf } from './comment-threads';

describe('put together anew when a comment came', () => {
  const said = [aComment('c1', { replyIds: ['r1'] }), aReply('r1', 'c1'), aComment('c2')];
  const before = threadsOf(said, 'ana');
  const changed = (comments: typeof said) => threadsOf(comments, 'ana').filter((thread) => !before.some((one) => isSameThread(one, thread)));

  test('a thread that it does not concern says the same', () => {
    expect(changed([...said, aComment('c3')]).map(({ first }) => first._id)).toEqual(['c3']);
  });

  test('one with another reply, with one less, or with words changed does not', () => {
    expect(changed([...said, aReply('r2', 'c1')]).map(({ first }) => first._id)).toEqual(['c1']);
    expect(changed(said.filter(({ _id }) => _id !== 'r1')).map(({ first }) => first._id)).toEqual(['c1']);
    expect(changed(said.map((one) => (one._id === 'r1' ? aReply('r1', 'c1', { content: 'Later' }) : one))).map(({ first }) => first._id)).toEqual(['c1']);
    expect(changed(said.map((one) => (one._id === 'c2' ? aComment('c2', { content: 'Softer' }) : one))).map(({ first }) => first._id)).toEqual(['c2']);
  });
});
