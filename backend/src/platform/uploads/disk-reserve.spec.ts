import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { DiskFull } from '../store-errors.js';
import { DiskReserve, reserveOf } from './disk-reserve.js';

const REACHED = 'the disk of DATA_DIR has only DISK_RESERVE left: uploads are refused until space is free';
const OVER = 'the disk of DATA_DIR has room for uploads again';

interface Line {
  readonly level: 'warn' | 'info';
  readonly message: string;
}

/** The reserve on the disk of the temporary folder, and what it logs. */
function withReserve(DISK_RESERVE: number, S3_ENDPOINT: string | null = null) {
  const config = { DATA_DIR: tmpdir(), DISK_RESERVE, S3_ENDPOINT };
  const lines: Line[] = [];
  const note = (level: Line['level']) => (_facts: object, message: string) => void lines.push({ level, message });
  return { config, lines, reserve: new DiskReserve(config, { warn: note('warn'), info: note('info') }) };
}

test('a disk with only the reserve left is logged at the start, once', async () => {
  const { reserve, lines } = withReserve(Number.MAX_SAFE_INTEGER);
  await reserve.onApplicationBootstrap();
  expect(lines).toEqual([{ level: 'warn', message: REACHED }]);
  await expect(reserve.require(1)).rejects.toThrow(DiskFull);
  expect(lines).toHaveLength(1);
});

test('a file that would use the reserve is refused and logged; so is the next one that fits', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const { reserve, lines } = withReserve(1_000);
  await reserve.onApplicationBootstrap();
  expect(lines).toEqual([]);
  for (let refused = 0; refused < 2; refused += 1) await expect(reserve.require(2 * bavail * bsize)).rejects.toThrow(DiskFull);
  await reserve.require(1);
  expect(lines).toEqual([
    { level: 'warn', message: REACHED },
    { level: 'info', message: OVER },
  ]);
});

test('there is no reserve if files are on S3 or DISK_RESERVE is 0', async () => {
  const { reserve, lines, config } = withReserve(Number.MAX_SAFE_INTEGER, 'https://files.example');
  await reserve.onApplicationBootstrap();
  await reserve.require(1);
  expect([lines, reserveOf(config), reserveOf({ DISK_RESERVE: 0, S3_ENDPOINT: null })]).toEqual([[], 0, 0]);
});
