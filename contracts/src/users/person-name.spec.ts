import { expect, test } from '@jest/globals';
import { isInvalidName } from './person-name.js';

test.each(['', 'Ana', 'Łuk', "O'Neil", 'Zoe\u0308', '李', 'محمد', '🎸', '❤\uFE0F', '…', 'D\u2019Arcy'])('%j may be used', (name) => {
  expect(isInvalidName(name)).toBe(false);
});

test.each([
  ['a space', 'Two words'],
  ['a tab', 'Tab\tbed'],
  ['a no-break space', 'Reyes\u00A0'],
  ['NUL', 'a\u0000b'],
  ['a control character of C1', 'a\u009Bb'],
  ['a bidirectional override', '\u202Eevil'],
  ['a bidirectional isolate', 'a\u2066b'],
  ['a zero-width space', 'Ana\u200B'],
  ['a zero-width joiner', 'Ana\u200D'],
  ['a soft hyphen', 'A\u00ADna'],
  ['a tag character', 'Ana\u{E0061}'],
])('a name with %s may not', (_what, name) => {
  expect(isInvalidName(name)).toBe(true);
});

test.each([
  ['a zero-width space', '\u200B'],
  ['Hangul fillers', '\u3164\u115F'],
  ['a variation selector', '\uFE0F'],
  ['a combining mark', '\u0301'],
  ['an empty Braille cell', '\u2800'],
  ['a character for private use', '\uE000'],
  ['half a character', '\uD83C'],
])('a name of nothing but %s may not', (_what, name) => {
  expect(isInvalidName(name)).toBe(true);
});
