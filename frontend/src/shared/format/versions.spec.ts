import { expect, test } from '@jest/globals';
import { formatVersion } from './versions';

test('a version is its two numbers, joined by a point', () => {
  expect(formatVersion({ majorUpdate: 2, minorUpdate: 1 })).toBe('2.1');
  expect(formatVersion({ majorUpdate: 1, minorUpdate: 10 })).toBe('1.10');
});
