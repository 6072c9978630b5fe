import { expect, test } from '@jest/globals';
import { formatBytes, formatBytesDone } from './bytes';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [28_400_000, '28.4 MB'],
  [999_960, '1.0 MB'],
  [47_999_999, '48.0 MB'],
  [3_200_000_000, '3.2 GB'],
  [-5, '0 B'],
])('%d bytes are %p', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});

test('progress uses the unit of the whole file', () => {
  expect(formatBytesDone(17_900_000, 28_400_000)).toBe('17.9 of 28.4 MB');
  expect(formatBytesDone(40_000, 28_400_000)).toBe('0.0 of 28.4 MB');
  expect(formatBytesDone(30_000_000, 28_400_000)).toBe('28.4 of 28.4 MB');
});
