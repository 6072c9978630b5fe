import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TemporaryVault, temporaryVault } from '../../testing/temporary-vault.js';
import { timerContext } from './timer.js';
import { storedTimers } from './timer-status.js';
import { Timers } from './timers.js';

let place: TemporaryVault;
let timers: Timers;

beforeEach(async () => {
  place = await temporaryVault();
  timers = await Timers.open(place.vault);
});
afterEach(() => place.remove());

describe('timers', () => {
  test('are read in the order of their instants, kind by kind', async () => {
    for (const [kind, at] of [
      ['a', 2_000],
      ['b', 1],
      ['a', 30],
      ['a-b', 5],
      ['a', 1_700_000_000_000],
    ] as const)
      await timers.set({ kind, key: `t${at}`, at });
    expect((await timers.upcoming('a', 10)).map(({ body }) => body.at)).toEqual([30, 2_000, 1_700_000_000_000]);
    expect((await timers.upcoming('a', 1)).map(({ body }) => body.at)).toEqual([30]);
  });

  test('keep their data, and setting one again replaces it', async () => {
    await timers.set({ kind: 'a', key: 't', at: 1, data: { projectId: 'p1' } });
    expect(await timers.get('a', 't')).toEqual({ kind: 'a', key: 't', at: 1, data: { projectId: 'p1' } });
    await timers.set({ kind: 'a', key: 't', at: 2 });
    expect(await timers.get('a', 't')).toEqual({ kind: 'a', key: 't', at: 2 });
    expect((await timers.upcoming('a', 10)).map(({ body }) => body.at)).toEqual([2]);
  });

  test('move to another instant with their data, unless there is none or it is parked', async () => {
    await timers.set({ kind: 'a', key: 't', at: 1, data: { id: 'x' }, position: 7 });
    await timers.move('a', 't', ({ at, position = 0 }) => at + position);
    await timers.move('a', 'unknown', () => 1);
    const [moved, ...others] = await timers.upcoming('a', 10);
    expect([moved?.body, others]).toMatchObject([{ at: 8, data: { id: 'x' }, position: 7 }, []]);
    if (moved !== undefined) await timers.park(moved, 5);
    await timers.move('a', 't', () => 9);
    expect((await timers.parked('a')).map(({ body }) => body.at)).toEqual([8]);
  });

  test('that are set to the same values again cost no write', async () => {
    await timers.set({ kind: 'a', key: 't', at: 1, data: { projectId: 'p1' } });
    const [before] = await timers.upcoming('a', 1);
    await timers.set({ kind: 'a', key: 't', at: 1, data: { projectId: 'p1' }, position: 7 });
    expect(await timers.upcoming('a', 1)).toEqual([before]);
  });

  test('contain only ids: texts are refused', async () => {
    for (const key of ['', 'a b', 'ana@example.org', 'ü', 'x'.repeat(129)]) {
      await expect(timers.set({ kind: 'a', key, at: 1 })).rejects.toThrow('a: keys and data of timers are ids');
      await expect(timers.set({ kind: 'a', key: 't', at: 1, data: { id: key } })).rejects.toThrow('a: keys and data of timers are ids');
    }
    await expect(timers.set({ kind: 'A/b', key: 't', at: 1 })).rejects.toThrow('A/b is not a kind of timers');
    for (const at of [-1, 0.5, Number.NaN]) await expect(timers.set({ kind: 'a', key: 't', at })).rejects.toThrow('is not an instant');
  });

  test('report how late the oldest due one is, counting retried ones but not parked ones', async () => {
    await timers.set({ kind: 'a', key: 't1', at: 10_000 });
    await timers.set({ kind: 'a', key: 't2', at: 14_000 });
    expect(await Promise.all([9_999, 10_000, 15_000].map((now) => timers.behindSeconds('a', now)))).toEqual([0, 0, 5]);
    const [first] = await timers.upcoming('a', 1);
    if (first === undefined) throw new Error('no timer');
    await timers.retry(first, 60_000, 1);
    expect(await timers.behindSeconds('a', 15_000)).toBe(5);
    const retried = await timers.upcoming('a', 2);
    expect(retried.map(({ body }) => [body.key, body.tries])).toEqual([
      ['t2', 0],
      ['t1', 1],
    ]);
    for (const each of retried.slice(1)) await timers.park(each, 5);
    expect(await timers.behindSeconds('a', 15_000)).toBe(1);
  });

  test('are counted for an operator, including those of kinds without a handler', async () => {
    for (const at of [10, 20]) await timers.set({ kind: 'a', key: `t${at}`, at });
    await timers.set({ kind: 'old', key: 't', at: 5 });
    expect(await storedTimers(place.vault, 10, ['a', 'b'])).toEqual([
      { kind: 'a', pending: 2, due: 1, next: 10, parked: [] },
      { kind: 'b', pending: 0, due: 0, next: null, parked: [] },
      { kind: 'old', pending: 1, due: 1, next: 5, parked: [] },
    ]);
  });
});

test('every firing of a timer issues the same command, and another instant another one', () => {
  const timer = { kind: 'a', key: 't', at: 1 };
  expect(timerContext(timer, 5)).toMatchObject({ actor: { uid: null }, at: 5, commandId: 'a-t-1' });
  expect([timerContext(timer, 9).commandId, timerContext({ ...timer, at: 2 }, 9).commandId]).toEqual(['a-t-1', 'a-t-2']);
});
