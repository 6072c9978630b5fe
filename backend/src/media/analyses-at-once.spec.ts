import { expect, test } from '@jest/globals';
import { analysesAtOnce } from './analyses-at-once.js';

const GB = 1024 ** 3;

test.each([
  [{ cores: 1, memoryBytes: 8 * GB }, 1],
  [{ cores: 2, memoryBytes: 1.5 * GB }, 2],
  [{ cores: 8, memoryBytes: 1.5 * GB }, 2],
  [{ cores: 8, memoryBytes: 1 * GB }, 1],
  [{ cores: 2, memoryBytes: GB / 2 }, 1],
  [{ cores: 64, memoryBytes: 256 * GB }, 4],
])('on %j files are analysed %i at once', (machine, count) => {
  expect(analysesAtOnce(machine, GB / 2)).toBe(count);
});
