import { expect, test } from '@jest/globals';
import { prefersMinimal } from './prefer.js';

test.each<readonly [prefer: string | undefined, isMinimal: boolean]>([
  [undefined, false],
  ['', false],
  ['return=minimal', true],
  ['Return = "Minimal"', true],
  ['respond-async, wait=10, return=minimal; lenient', true],
  ['return=representation', false],
  ['return=representation, return=minimal', false],
  ['return', false],
  ['return=minimalist', false],
  ['do-not-return=minimal', false],
  ['wait=10; return=minimal', false],
])('%j prefers a minimal answer: %s', (prefer, isMinimal) => {
  expect(prefersMinimal(prefer === undefined ? {} : { prefer })).toBe(isMinimal);
});

test('a header with 7,000 blanks takes no longer than any other', () => {
  const blanks = ' '.repeat(7_000);
  expect(prefersMinimal({ prefer: `return=${blanks}"minimal"${blanks}x` })).toBe(false);
  expect(prefersMinimal({ prefer: `return${blanks}=${blanks}"minimal"${blanks}; lenient` })).toBe(true);
});
