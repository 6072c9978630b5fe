import { describe, expect, test } from '@jest/globals';
import { firstWords, mentionedNames, toTyped, toWire } from './comment-words';
import { fitting, mentionAt, mentionablesOf } from './mention-search';
import { personCalled } from '../../testing/people-and-projects';
import { aComment } from '../../testing/comments';

describe('typed text and the wire', () => {
  test('an @ with a known name becomes a mention, whatever its capitals, the longest name first', () => {
    expect(toWire('@ana @Ana Lund, and @everyone.', ['Ana', 'Ana Lund', 'Everyone'])).toBe(
      '%MENTION_Ana_END% %MENTION_Ana Lund_END%, and %MENTION_Everyone_END%.',
    );
  });

  test('addresses, longer words and strangers stay text', () => {
    expect(toWire('me@ana.example @anabel @zoe', ['Ana'])).toBe('me@ana.example @anabel @zoe');
    expect(toWire('a (b) [c] $1 @x.y', ['x.y'])).toBe('a (b) [c] $1 %MENTION_x.y_END%');
  });

  test('what is edited is typed as it was', () => {
    const wire = 'Ask %MENTION_Ana_END%, please';
    expect(toTyped(wire)).toBe('Ask @Ana, please');
    expect(mentionedNames(wire)).toEqual(['Ana']);
    expect(toWire(toTyped(wire), ['Ana'])).toBe(wire);
  });
});

describe('the mention under the caret', () => {
  test('begins at an @ after a space and ends at the caret', () => {
    expect(mentionAt('Hey @no and more', 7)).toEqual({ start: 4, words: 'no' });
    expect(mentionAt('Hey @', 5)).toEqual({ start: 4, words: '' });
    expect(mentionAt('mail@no', 7)).toBeNull();
    expect(mentionAt('@no\nnext', 8)).toBeNull();
  });

  test('offers members other than the writer by any part of their name, and Everyone', () => {
    const noor = { ...personCalled('Noor'), username: 'nn', lastName: 'Haddad' };
    const people = mentionablesOf([personCalled('Ana'), noor], 'ana');
    expect(people.map(({ username }) => username)).toEqual(['nn', 'Everyone']);
    expect(fitting(people, { start: 0, words: 'had' }).map(({ username }) => username)).toEqual(['nn']);
    expect(fitting(people, { start: 0, words: 'EV' }).map(({ username }) => username)).toEqual(['Everyone']);
  });
});

test('a region is called by the beginning of the first comment on it', () => {
  const tagged = [{ _id: 'r1', tag: 'mix', timespan: '0:01 – 0:02', start: 1, end: 2, childRegion: null }] as const;
  const later = aComment('c2', { dateAdded: 2, taggedRegions: tagged, content: 'second' });
  const first = aComment('c1', { dateAdded: 1, taggedRegions: tagged, content: `%MENTION_Bob_END% ${'long '.repeat(20)}` });
  expect(firstWords([later, first]).get('r1')).toBe('@Bob long long long long long long long long long long long…');
});
