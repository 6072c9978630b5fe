import { expect, test } from '@jest/globals';
import { LIMITS } from './limits.js';
import { mention } from './mentions.js';
import { quoteOf, textStart } from './post-text.js';

const FAMILY = '👨\u200d👩\u200d👧';

test('a text is quoted on one line, with mentions as typed', () => expect(quoteOf(` Hi ${mention('Ana')},\n\tlouder `)).toBe('Hi @Ana, louder'));

test('a long quote is cut before the grapheme that does not fit', () => {
  const before = 'x'.repeat(LIMITS.quote - FAMILY.length);
  expect(quoteOf(`${before}${FAMILY}`)).toBe(`${before}${FAMILY}`);
  expect(quoteOf(`${before}${FAMILY}y`)).toBe(`${before}${FAMILY}…`);
  expect(quoteOf(`${before}y${FAMILY}`)).toBe(`${before}y…`);
});

test('the start of a text has at most so many units with its ellipsis, and no space before it', () => {
  expect(textStart('abc', 3)).toBe('abc');
  expect(textStart('abcd', 3)).toBe('ab…');
  expect(textStart(`ab ${FAMILY}`, 6)).toBe('ab…');
});
