import { expect, test } from '@jest/globals';
import { lookalikeKeys } from './lookalikes.js';

const lookAlike = (one: string, other: string): boolean => {
  const keys = lookalikeKeys({ username: other });
  return lookalikeKeys({ username: one }).some((key) => keys.includes(key));
};

test.each([
  ['Іnes Calder', 'Ines Calder', 'a Cyrillic І'],
  ['іnes calder', 'Ines Calder', 'a Cyrillic і'],
  ['Αna', 'Ana', 'a Greek Α'],
  ['AIice', 'Alice', 'a capital I for a small L'],
  ['a1ice', 'alice', 'a 1 for a small L'],
  ['rnaud', 'maud', 'rn for m'],
  ['𝒜na', 'Ana', 'a mathematical letter'],
  ['ａna', 'ana', 'a full-width letter'],
  ['Ꭺna', 'Ana', 'a Cherokee letter'],
  ['Zoe\u0308', 'Zoë', 'another composition'],
  ['ana lima', 'Ana-Lima', 'the same slug'],
])('%s looks like %s: %s', (one, other) => {
  expect([lookAlike(one, other), lookAlike(other, one)]).toEqual([true, true]);
});

test.each([
  ['Ana', 'Anna'],
  ['Ines', 'Inés'],
  ['Ian', 'Lan'],
  ['Ana2', 'Ana3'],
  ['Анна', 'Anna'],
  ['李', '季'],
])('%s does not look like %s', (one, other) => {
  expect(lookAlike(one, other)).toBe(false);
});
