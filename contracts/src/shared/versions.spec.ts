import { expect, test } from '@jest/globals';
import { nextNumber, versionNumber } from './versions.js';

test('the first version is 1.0, whichever update type it has', () => {
  expect(nextNumber(null, 'minor')).toEqual({ major: 1, minor: 0 });
  expect(nextNumber(null, 'major')).toEqual({ major: 1, minor: 0 });
});

test('a minor update raises the minor number, a major one restarts it at 0', () => {
  expect(nextNumber({ major: 1, minor: 9 }, 'minor')).toEqual({ major: 1, minor: 10 });
  expect(nextNumber({ major: 1, minor: 9 }, 'major')).toEqual({ major: 2, minor: 0 });
});

test('the tenth minor update is shown as 1.10, not as 1.1', () => {
  expect(versionNumber({ majorUpdate: 1, minorUpdate: 10 })).toBe('1.10');
});
