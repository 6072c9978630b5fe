import { expect, test } from '@jest/globals';
import { isJump } from './playback-maths';

test('a seek is a jump of the playhead; playback and a turn of the loop are not', () => {
  expect(isJump(10, 10.1, null)).toBe(false);
  expect(isJump(10, 20, null)).toBe(true);
  expect(isJump(20, 10, null)).toBe(true);
  expect(isJump(20, 10, { start: 10, end: 20 })).toBe(false);
  expect(isJump(10, 30, { start: 10, end: 20 })).toBe(true);
});
