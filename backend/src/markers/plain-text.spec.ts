import { expect, test } from '@jest/globals';
import { plainLines, singleLine } from './plain-text.js';

const HOSTILE = ' one\r\ntwo\tthree\u2028four\u0000\u001b[31m \u202eevil\u2066\ufeff\n';

test('on one line, line breaks, tabs and control characters are spaces and direction marks are gone', () => {
  expect(singleLine(HOSTILE)).toBe('one two three four [31m evil');
});

test('lines keep their breaks and tabs', () => {
  expect(plainLines(HOSTILE)).toBe('one\ntwo\tthree\nfour[31m evil');
});

test('joined emoji stay whole', () => {
  expect(singleLine('👩‍🎤 sings')).toBe('👩‍🎤 sings');
});
