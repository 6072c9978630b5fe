import { expect, test } from '@jest/globals';
import { isWellFormed } from './well-formed.js';

test('half a surrogate pair is not well formed', () => {
  expect(['a🎧b', '', 'é'].map(isWellFormed)).toEqual([true, true, true]);
  expect(['\ud800', 'a\udc00', '\udc00\ud800'].map(isWellFormed)).toEqual([false, false, false]);
});
