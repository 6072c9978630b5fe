import { expect, test } from '@jest/globals';
import { moveCaret, rebaseSplice } from './note-merge.js';
import { applySplice, changeOf, type Splice } from './note-splice.js';

const BASE = 'abcdefgh';
const splice = (at: number, removed: number, inserted: string): Splice => ({ at, removed, inserted });

/** The text after both, the second based on the same text as the first; null for a conflict. */
function merged(first: Splice, second: Splice): string | null {
  const rebased = rebaseSplice(second, [changeOf(first)]);
  return rebased && applySplice(applySplice(BASE, first), rebased);
}

test.each([
  ['an insertion behind', splice(1, 0, 'X'), splice(4, 0, 'Y'), 'aXbcdYefgh'],
  ['an insertion before', splice(4, 0, 'X'), splice(1, 0, 'Y'), 'aYbcdXefgh'],
  ['two insertions at one place: the one saved first comes first', splice(3, 0, 'X'), splice(3, 0, 'Y'), 'abcXYdefgh'],
  ['an insertion at the start of removed text', splice(2, 3, ''), splice(2, 0, 'Y'), 'abYfgh'],
  ['an insertion at the end of removed text', splice(2, 3, ''), splice(5, 0, 'Y'), 'abYfgh'],
  ['an insertion at the start of replaced text: both are inserted there', splice(2, 3, 'X'), splice(2, 0, 'Y'), 'abXYfgh'],
  ['an insertion at the end of replaced text', splice(2, 3, 'X'), splice(5, 0, 'Y'), 'abXYfgh'],
  ['an insertion within removed text', splice(2, 3, ''), splice(3, 0, 'Y'), null],
  ['a removal that ends where text was inserted', splice(4, 0, 'X'), splice(2, 2, ''), 'abXefgh'],
  ['a removal that starts where text was inserted', splice(4, 0, 'X'), splice(4, 2, ''), 'abcdXgh'],
  ['a removal around inserted text', splice(4, 0, 'X'), splice(3, 2, ''), null],
  ['removals that touch', splice(2, 2, ''), splice(4, 2, ''), 'abgh'],
  ['removals that touch from behind', splice(4, 2, ''), splice(2, 2, ''), 'abgh'],
  ['removals that overlap', splice(2, 3, ''), splice(4, 2, ''), null],
  ['the same removal', splice(2, 2, ''), splice(2, 2, ''), null],
  ['the same replacement', splice(2, 2, 'X'), splice(2, 2, 'X'), null],
  ['a removal within removed text', splice(1, 6, ''), splice(3, 1, ''), null],
  ['a removal around removed text', splice(3, 1, ''), splice(1, 6, ''), null],
] as const)('%s', (_case, first, second, text) => expect(merged(first, second)).toBe(text));

test('a splice is rebased over several changes, and a conflict with one of them is a conflict', () => {
  const first = [splice(0, 0, 'XX'), splice(4, 2, ''), splice(2, 0, 'Y')].map(changeOf);
  expect(rebaseSplice(splice(4, 1, 'Z'), first)).toEqual(splice(5, 1, 'Z'));
  expect(rebaseSplice(splice(3, 1, 'Z'), first)).toBeNull();
});

test.each([
  [1, { at: 3, removed: 2, inserted: 5 }, 1],
  [3, { at: 3, removed: 0, inserted: 5 }, 3],
  [4, { at: 3, removed: 2, inserted: 5 }, 8],
  [5, { at: 3, removed: 2, inserted: 5 }, 8],
  [7, { at: 3, removed: 2, inserted: 0 }, 5],
] as const)('a caret at %i is moved by %j to %i', (caret, change, expected) => expect(moveCaret(caret, change)).toBe(expected));
