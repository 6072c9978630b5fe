import { describe, expect, test } from '@jest/globals';
import { cutText, isolated, showsNothing, trimmed, withoutControls, withoutDirections } from './visible-text.js';

describe('a text shows nothing', () => {
  test.each([
    ['it is empty', ''],
    ['it has only white space', ' \t\n\u00a0\u2003\u3000'],
    ['it has only zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['it has only direction marks', '\u202e\u200f\u2069'],
    ['it has only control characters', '\u0000\u0085'],
    ['it has only fillers', '\u3164\u115f\u1160\uffa0\u17b4'],
    ['it has only variation selectors and tags', '\ufe0f\u{e0061}'],
    ['it has only an empty Braille cell', '\u2800'],
    ['it has only a null note head', '\u{1d159}'],
    ['it has only what stored mentions are marked with', '\ufdd0\ufdd1'],
  ])('when %s', (_when, text) => expect(showsNothing(text)).toBe(true));

  test.each(['.', '\u200bx', '❤\ufe0f', '👨\u200d👩\u200d👧', 'محمد', '\u0301', '𝄞', '\uf8ff'])('but %j shows something', (text) =>
    expect(showsNothing(text)).toBe(false),
  );
});

test('every line break becomes a line feed, and other control characters but tabs go', () => {
  expect(withoutControls('a\r\nb\rc\u2028d\u2029e\n\r\nf')).toBe('a\nb\nc\nd\ne\n\nf');
  expect(withoutControls('a\u0000b\tc\u001b[31m\u007f\u0085d\u009f')).toBe('ab\tc[31md');
});

test('without directions, other format characters stay', () => {
  expect(withoutDirections('\u202eevil\u2066 \u200f\u061c👨\u200d👩')).toBe('evil 👨\u200d👩');
});

test('a text is trimmed, and empty if it shows nothing', () => expect([' a\n', ' \u200b ', ''].map(trimmed)).toEqual(['a', '', '']));

test('a name is isolated where it could turn the text around it, and ends its isolate itself', () => {
  expect(['Ana', 'Zoë 🎸', '李'].map(isolated)).toEqual(['Ana', 'Zoë 🎸', '李']);
  expect(isolated('עדי')).toBe('\u2068עדי\u2069');
  expect(isolated('\u202eevE\u2069 x')).toBe('\u2068\u202eevE x\u2069');
});

describe('a cut text', () => {
  const family = '👨\u200d👩\u200d👧';
  test.each([
    ['a text that fits is whole', 'abc', 3, 'abc'],
    ['a longer one ends at the limit', 'abcd', 3, 'abc'],
    ['an emoji that does not fit is left out', 'ab🎸', 3, 'ab'],
    ['a family that does not fit is left out', `a${family}`, family.length, 'a'],
    ['a family that fits stays', `a${family}b`, family.length + 1, `a${family}`],
    ['an accent stays with its letter', 'abe\u0301', 3, 'ab'],
    ['a flag is not halved', 'a🇩🇪', 3, 'a'],
    ['a grapheme longer than the limit is left out', `e${'\u0301'.repeat(9)}`, 5, ''],
  ])('%s', (_what, text, most, kept) => expect(cutText(text, most)).toBe(kept));
});
