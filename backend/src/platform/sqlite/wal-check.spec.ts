import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkWal, type WalVerdict } from './wal-check.js';
import { readWalIndex, type WalIndex } from './wal-index.js';

const FRAME = 24 + 4096;
const COMMITS = 30;
let folder: string;
let wal: Buffer;
let shm: Buffer;
let index: WalIndex | null;
/** The end of each commit in the file. */
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
  shm = readFileSync(join(folder, 'one.db-shm'));
  index = readWalIndex(shm);
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const judge = (bytes: Uint8Array, known: WalIndex | null = null): WalVerdict =>
  checkWal({ size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }, known);

function flipped(offset: number): Buffer {
  const bytes = Buffer.from(wal);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
  return bytes;
}

const endOf = (commit: number): number => ends[commit] ?? 0;

test('an intact log is reported as whole', () => {
  expect(judge(wal)).toEqual({ kind: 'sound', wholeBytes: wal.length, droppedBytes: 0, missingBytes: 0 });
  expect(judge(new Uint8Array(0))).toEqual({ kind: 'sound', wholeBytes: 0, droppedBytes: 0, missingBytes: 0 });
});

test('a log cut at any byte of its last commit ends at the previous commit and reports the dropped bytes', () => {
  const whole = endOf(COMMITS - 2);
  for (let size = whole; size < wal.length; size += 41) {
    expect(judge(wal.subarray(0, size))).toEqual({ kind: 'sound', wholeBytes: whole, droppedBytes: size - whole, missingBytes: 0 });
  }
  for (let size = 0; size <= 32; size++) expect(judge(wal.subarray(0, size)).kind).toBe('sound');
});

test('one flipped bit anywhere before the last commit is reported as damage of its frame', () => {
  for (let offset = 32; offset < endOf(COMMITS - 2); offset += 997) {
    expect(judge(flipped(offset))).toEqual({ kind: 'damaged', offset: 32 + Math.floor((offset - 32) / FRAME) * FRAME });
  }
});

test('every bit of frame headers and of the log header is checked', () => {
  const frame = 32 + FRAME;
  for (let offset = frame; offset < frame + 24; offset++) expect(judge(flipped(offset))).toEqual({ kind: 'damaged', offset: frame });
  for (let offset = 0; offset < 32; offset++) expect(judge(flipped(offset))).toEqual({ kind: 'damaged', offset: 0 });
});

test('a flipped bit in a completely written frame of the last commit is damage too', () => {
  expect(endOf(COMMITS - 1) - endOf(COMMITS - 2)).toBeGreaterThan(2 * FRAME);
  const frame = endOf(COMMITS - 2);
  expect(judge(flipped(frame + 2000))).toEqual({ kind: 'damaged', offset: frame });
});

test('a block of the last commit missing after a power cut is a torn write', () => {
  const bytes = Buffer.from(wal);
  const whole = endOf(COMMITS - 2);
  const block = Math.ceil(whole / 4096) * 4096;
  bytes.fill(0, block, block + 4096);
  expect(judge(bytes)).toEqual({ kind: 'sound', wholeBytes: whole, droppedBytes: expect.any(Number), missingBytes: 0 });
});

test('a wrong frame that the index reports as synced is damage, even in the last commit', () => {
  expect(judge(wal, index)).toEqual({ kind: 'sound', wholeBytes: wal.length, droppedBytes: 0, missingBytes: 0 });
  for (let frame = endOf(COMMITS - 2); frame < wal.length; frame += FRAME) {
    const bytes = Buffer.from(wal);
    bytes.fill(0, frame + 100, frame + FRAME);
    expect(judge(bytes, index)).toEqual({ kind: 'damaged', offset: frame });
  }
});

test('an index of another WAL generation is ignored', () => {
  const bytes = Buffer.from(wal);
  const block = Math.ceil(endOf(COMMITS - 2) / 4096) * 4096;
  bytes.fill(0, block, block + 4096);
  expect(judge(bytes, index).kind).toBe('damaged');
  expect(judge(bytes, { frames: 1000, salt: [1, 2] })).toMatchObject({ kind: 'sound', missingBytes: 0 });
});

test('a truncated file is opened up to its last whole commit and reports the missing synced bytes', () => {
  const whole = endOf(COMMITS - 2);
  for (const size of [whole, whole + 100, wal.length - 1]) {
    expect(judge(wal.subarray(0, size), index)).toEqual({ kind: 'sound', wholeBytes: whole, droppedBytes: size - whole, missingBytes: wal.length - whole });
  }
});

test('an incomplete index is ignored', () => {
  expect(index).toEqual({ frames: (wal.length - 32) / FRAME, salt: [wal.readUInt32BE(16), wal.readUInt32BE(20)] });
  expect(readWalIndex(shm.subarray(0, 90))).toBeNull();
  for (const offset of [12, 16, 40, 64, 95]) {
    const bytes = Buffer.from(shm);
    bytes[offset] = (bytes[offset] ?? 0) ^ 1;
    expect(readWalIndex(bytes)).toBeNull();
  }
});

test('frames of an earlier WAL generation after the end are not counted as loss', () => {
  const file = join(folder, 'rounds.db');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode=WAL; CREATE TABLE t(b TEXT)');
  for (let n = 0; n < 10; n++) db.exec(`INSERT INTO t VALUES('${'x'.repeat(5000)}')`);
  db.exec("PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES('next round')");
  const bytes = readFileSync(`${file}-wal`);
  db.close();
  const verdict = judge(bytes);
  expect(verdict).toEqual({ kind: 'sound', wholeBytes: expect.any(Number), droppedBytes: 0, missingBytes: 0 });
  expect(verdict.kind === 'sound' && verdict.wholeBytes < bytes.length / 2).toBe(true);
});
