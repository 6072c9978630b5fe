import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { DiskFull } from '../store-errors.js';
import { ReadSide } from './read-side.js';

const LONG_MS = 60_000;
let side: ReadSide;

beforeEach(() => {
  side = new ReadSide(undefined, 50);
});
afterEach(() => side.close());

test('a wait for the first read models ends when they are served, and their position is known', async () => {
  const waiting = side.servedWithin(LONG_MS);
  expect([side.isServed, await side.servedWithin(1)]).toEqual([false, false]);
  side.serve(7);
  expect([await waiting, side.isServed, await side.servedWithin(LONG_MS), side.saved.position]).toEqual([true, true, true, 7]);
});

test('read models of another shape are no longer served; closing ends every wait', async () => {
  side.serve(7);
  side.withdraw();
  const waiting = [side.servedWithin(LONG_MS), side.saved.waitFor(8, LONG_MS)];
  side.close();
  expect([side.isServed, ...(await Promise.all(waiting))]).toEqual([false, false, false]);
});

describe('a caller that wrote', () => {
  test('continues when the read models hold the write, or nothing was written', async () => {
    const waiting = side.waitFor(3);
    side.serve(3);
    await expect(waiting).resolves.toBeUndefined();
    await expect(side.waitFor(null)).resolves.toBeUndefined();
  });

  test('gets a retryable refusal on timeout, or DiskFull if a full disk is the cause', async () => {
    await expect(side.waitFor(1)).rejects.toThrow(new Refused('store.away'));
    side.fail(new DiskFull('no room'));
    await expect(side.waitFor(1)).rejects.toThrow(DiskFull);
  });

  test('waits as long but is never refused if its wait is best effort', async () => {
    await expect(side.waitBestEffort(1)).resolves.toBeUndefined();
    const waiting = side.waitBestEffort(3);
    side.serve(3);
    await expect(waiting).resolves.toBeUndefined();
    await expect(side.waitBestEffort(null)).resolves.toBeUndefined();
  });
});
