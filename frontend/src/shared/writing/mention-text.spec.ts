import { describe, expect, test } from '@jest/globals';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { personCalled } from '../../testing/people-and-projects';
import { matching, mentionablesOf, mentionAt } from './mention-search';
import { mentionedNames, toWire } from './mention-text';

describe('typed text and the wire format', () => {
  test('an @ with a known name becomes a mention whatever its case; the longest name wins', () => {
    expect(toWire('@ana @Ana Lund, and @everyone.', ['Ana', 'Ana Lund', 'Everyone'])).toBe(
      '%MENTION_Ana_END% %MENTION_Ana Lund_END%, and %MENTION_Everyone_END%.',
    );
  });

  test('e-mail addresses, longer words and unknown names stay text', () => {
    expect(toWire('me@ana.example @anabel @zoe', ['Ana'])).toBe('me@ana.example @anabel @zoe');
    expect(toWire('a (b) [c] $1 @x.y', ['x.y'])).toBe('a (b) [c] $1 %MENTION_x.y_END%');
  });

  test('text that is opened for editing looks as it was typed', () => {
    const wire = 'Ask %MENTION_Ana_END%, please';
    expect(toTyped(wire)).toBe('Ask @Ana, please');
    expect(mentionedNames(wire)).toEqual(['Ana']);
    expect(toWire(toTyped(wire), ['Ana'])).toBe(wire);
  });
});

describe('the mention at the caret', () => {
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
    expect(matching(people, { start: 0, words: 'had' }).map(({ username }) => username)).toEqual(['nn']);
    expect(matching(people, { start: 0, words: 'EV' }).map(({ username }) => username)).toEqual(['Everyone']);
  });
});
