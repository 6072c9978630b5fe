import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkWal, type WalVerdict } from './wal-check.js';

const FRAME = 24 + 4096;
const COMMITS = 30;
let folder: string;
let wal: Buffer;
/** Where each commit ends in the file. */
const ends: number[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'roughmix-wal-'));
  const db = new DatabaseSync(join(folder, 'one.db'));
  db.exec('PRAGMA journal_mode=WAL; CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)');
  for (let n = 0; n < COMMITS; n++) {
    db.prepare('INSERT INTO t VALUES(?, ?)').run(n, `${n}`.padEnd(9000, 'x'));
    copyFileSync(join(folder, 'one.db-wal'), join(folder, 'copy'));
    ends.push(readFileSync(join(folder, 'copy')).length);
  }
  wal = readFileSync(join(folder, 'copy'));
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const judge = (bytes: Uint8Array): WalVerdict => checkWal({ size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) });

function flipped(offset: number): Buffer {
  const bytes = Buffer.from(wal);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
  return bytes;
}

const endOf = (commit: number): number => ends[commit] ?? 0;

test('a log that nothing happened to is whole', () => {
  expect(judge(wal)).toEqual({ kind: 'sound', wholeBytes: wal.length, droppedBytes: 0 });
  expect(judge(new Uint8Array(0))).toEqual({ kind: 'sound', wholeBytes: 0, droppedBytes: 0 });
});

test('a log cut off at any byte of its last commit ends at the commit before, and says how much is lost', () => {
  const whole = endOf(COMMITS - 2);
  for (let size = whole; size < wal.length; size += 41) {
    expect(judge(wal.subarray(0, size))).toEqual({ kind: 'sound', wholeBytes: whole, droppedBytes: size - whole });
  }
  for (let size = 0; size <= 32; size++) expect(judge(wal.subarray(0, size)).kind).toBe('sound');
});

test('one flipped bit anywhere before the last commit is damage of the frame it lies in', () => {
  for (let offset = 32; offset < endOf(COMMITS - 2); offset += 997) {
    expect(judge(flipped(offset))).toEqual({ kind: 'damaged', offset: 32 + Math.floor((offset - 32) / FRAME) * FRAME });
  }
});

test('every bit of a frame header and of the log header is guarded', () => {
  const frame = 32 + FRAME;
  for (let offset = frame; offset < frame + 24; offset++) expect(judge(flipped(offset))).toEqual({ kind: 'damaged', offset: frame });
  for (let offset = 0; offset < 32; offset++) expect(judge(flipped(offset))).toEqual({ kind: 'damaged', offset: 0 });
});

test('a flipped bit in a frame of the last commit that was written whole is damage too', () => {
  expect(endOf(COMMITS - 1) - endOf(COMMITS - 2)).toBeGreaterThan(2 * FRAME);
  const frame = endOf(COMMITS - 2);
  expect(judge(flipped(frame + 2000))).toEqual({ kind: 'damaged', offset: frame });
});

test('a block that a power cut left out of the last commit is a torn write', () => {
  const bytes = Buffer.from(wal);
  const whole = endOf(COMMITS - 2);
  const block = Math.ceil(whole / 4096) * 4096;
  bytes.fill(0, block, block + 4096);
  expect(judge(bytes)).toEqual({ kind: 'sound', wholeBytes: whole, droppedBytes: expect.any(Number) });
});

test('frames of an earlier round behind the end are no loss', () => {
  const file = join(folder, 'rounds.db');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode=WAL; CREATE TABLE t(b TEXT)');
  for (let n = 0; n < 10; n++) db.exec(`INSERT INTO t VALUES('${'x'.repeat(5000)}')`);
  db.exec("PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES('next round')");
  const bytes = readFileSync(`${file}-wal`);
  db.close();
  const verdict = judge(bytes);
  expect(verdict).toEqual({ kind: 'sound', wholeBytes: expect.any(Number), droppedBytes: 0 });
  expect(verdict.kind === 'sound' && verdict.wholeBytes < bytes.length / 2).toBe(true);
});
