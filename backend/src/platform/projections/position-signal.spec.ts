import { describe, expect, test } from '@jest/globals';
import { PositionSignal } from './position-signal.js';

const LONG_MS = 60_000;

describe('waiting for a position', () => {
  test('ends when the position is reached; waits for higher positions continue', async () => {
    const signal = new PositionSignal();
    const [near, far] = [signal.waitFor(3, LONG_MS), signal.waitFor(9, LONG_MS)];
    signal.reach(5);
    expect(await near).toBe(true);
    expect(await signal.waitFor(4, LONG_MS)).toBe(true);
    signal.reach(9);
    expect(await far).toBe(true);
  });

  test('ends early on a timeout or an abort', async () => {
    const signal = new PositionSignal();
    expect(await signal.waitFor(1, 1)).toBe(false);
    const waiting = signal.waitFor(1, LONG_MS);
    signal.close();
    expect(await waiting).toBe(false);
  });

  test('a shutdown does not wait for stuck read models', async () => {
    const [signal, stopping] = [new PositionSignal(), new AbortController()];
    const [mine, another] = [signal.waitFor(1, LONG_MS, stopping.signal), signal.waitFor(1, LONG_MS)];
    stopping.abort();
    expect(await mine).toBe(false);
    expect(await signal.waitFor(1, LONG_MS, stopping.signal)).toBe(false);
    signal.reach(1);
    expect(await another).toBe(true);
  });
});
