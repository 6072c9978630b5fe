import { expect, test } from '@jest/globals';
import { applySplice, fitsText, smallestSplice } from './note-splice.js';

test.each([
  ['nothing changes', 'mix', 'mix', { at: 3, removed: 0, inserted: '' }],
  ['text is added at the end', 'mix', 'mix it', { at: 3, removed: 0, inserted: ' it' }],
  ['text is added at the start', 'mix', 'remix', { at: 0, removed: 0, inserted: 're' }],
  ['a word is replaced', 'louder bass', 'softer bass', { at: 0, removed: 4, inserted: 'soft' }],
  ['one of equal letters is removed', 'aaa', 'aa', { at: 2, removed: 1, inserted: '' }],
  ['everything is replaced', 'abc', 'xyz', { at: 0, removed: 3, inserted: 'xyz' }],
  ['a character changes that shares its first half', '🎧', '🎹', { at: 0, removed: 2, inserted: '🎹' }],
  ['a character changes that shares its second half', 'a\u{1f3a7}', 'a\u{1f7a7}', { at: 1, removed: 2, inserted: '\u{1f7a7}' }],
  ['a character is added beside one that shares a half', '🎧', '🎹🎧', { at: 0, removed: 0, inserted: '🎹' }],
] as const)('the smallest splice when %s', (_case, from, to, splice) => {
  expect(smallestSplice(from, to)).toEqual(splice);
  expect(applySplice(from, splice)).toBe(to);
});

test.each([
  [0, 0, true],
  [0, 4, true],
  [4, 0, true],
  [4, 1, false],
  [5, 0, false],
  [2, 0, false],
  [0, 2, false],
  [2, 1, false],
  [1, 2, true],
] as const)('a splice of "a🎧b" at %i that removes %i fits: %s', (at, removed, fits) => expect(fitsText('a🎧b', { at, removed })).toBe(fits));
