import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { withOverride } from '../../testing/temporary-vault.js';
import type { Term } from '../leases/lease.js';
import { ServiceUnavailable } from '../store-errors.js';
import { RESTORES } from '../vault/last-restore.js';
import type { Timer, TimerHandler } from './timer.js';
import { TimerRunner } from './timer-runner.js';
import { storedTimers } from './timer-status.js';
import { Timers } from './timers.js';

const NOW = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
let testStores: TestStores;
let timers: Timers;
let runners: TimerRunner[];
let fired: string[];

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
const handler = (
  kind: string,
  { fire = () => Promise.resolve(), afterRestore = 'fire' }: Partial<Pick<TimerHandler, 'afterRestore'>> & { fire?: () => Promise<void> } = {},
): TimerHandler => ({
  kind,
  afterRestore,
  async fire({ key, at }) {
    fired.push(`${kind} ${key} +${at - NOW}`);
    await fire();
  },
});
/** A process that fires; one that looks rarely fires in time only what it set itself. */
async function run(handlers: readonly TimerHandler[], { lookMs = 1, term = undefined as Term | undefined, from = timers } = {}): Promise<TimerRunner> {
  const runner = new TimerRunner(
    { timers: from, vault: testStores.vault, clock: () => testStores.time.now, log: testStores.log, lookMs, retryTimes: { baseMs: 1, capMs: 1 } },
    term,
  );
  runners.push(runner);
  await runner.start(handlers);
  return runner;
}
const isEmpty = async (): Promise<boolean> => (await storedTimers(testStores.vault, 0)).every(({ pending, parked }) => pending + parked.length === 0);

beforeEach(async () => {
  testStores = await openTestStores();
  testStores.time.now = NOW;
  timers = await Timers.open(testStores.vault);
  runners = [];
  fired = [];
});
afterEach(async () => {
  for (const runner of runners) await runner.stop();
  await testStores.close();
});

describe('a timer', () => {
  test('fires once, not before its instant', async () => {
    await timers.set({ kind: 'remind', key: 't1', at: NOW + HOUR_MS });
    await timers.set({ kind: 'remind', key: 't0', at: NOW });
    await run([handler('remind')]);
    await until(() => fired.length === 1);
    testStores.time.now += HOUR_MS - 1;
    await timers.set({ kind: 'remind', key: 't2', at: NOW });
    await until(() => fired.length === 2);
    expect(fired).toEqual(['remind t0 +0', 'remind t2 +0']);
    testStores.time.now += 1;
    await until(isEmpty);
    expect(fired).toEqual(['remind t0 +0', 'remind t2 +0', `remind t1 +${HOUR_MS}`]);
  });

  test('that came due while no process ran fires at the start, the oldest first', async () => {
    for (const hours of [3, 1, 2]) await timers.set({ kind: 'remind', key: `t${hours}`, at: NOW + hours * HOUR_MS });
    testStores.time.now += 4 * HOUR_MS;
    await run([handler('remind')]);
    await until(isEmpty);
    expect(fired).toEqual([1, 2, 3].map((hours) => `remind t${hours} +${hours * HOUR_MS}`));
  });

  test('that this process sets is noticed at once, however long the poll interval', async () => {
    await run([handler('remind')], { lookMs: HOUR_MS });
    await timers.set({ kind: 'remind', key: 't1', at: NOW });
    await until(isEmpty);
    expect(fired).toEqual(['remind t1 +0']);
  });

  test('that another process sets is found by polling', async () => {
    await run([handler('remind')]);
    await (await Timers.open(testStores.vault)).set({ kind: 'remind', key: 't1', at: NOW });
    await until(isEmpty);
    expect(fired).toEqual(['remind t1 +0']);
  });
});

describe('timers of one kind fire in turns by author', () => {
  const flood = async (count: number): Promise<void> => {
    const keys = Array.from({ length: count }, (_, nth) => `e${nth}`);
    await Promise.all(keys.map((key) => timers.set({ kind: 'remind', key, at: NOW, by: 'eve' })));
  };

  test('so that a timer waits for one of each other author, however many they have at the same instant', async () => {
    await flood(510);
    for (const nth of [1, 2]) await timers.set({ kind: 'remind', key: `b${nth}`, at: NOW + 1, by: 'bob' });
    await timers.set({ kind: 'remind', key: 'c', at: NOW + 1 });
    testStores.time.now += 1;
    await run([handler('remind')]);
    await until(isEmpty);
    expect(fired).toHaveLength(513);
    expect(fired.slice(0, 6).map((each) => each.split(' ')[1]?.charAt(0))).toEqual(['e', 'b', 'c', 'e', 'b', 'e']);
  });

  test('even if it comes due while they fire', async () => {
    await flood(300);
    const setAnother = async (): Promise<void> => {
      if (fired.length === 1) await timers.set({ kind: 'remind', key: 'b1', at: NOW, by: 'bob' });
    };
    await run([handler('remind', { fire: setAnother })]);
    await until(isEmpty);
    expect(fired).toHaveLength(301);
    expect(fired.indexOf('remind b1 +0')).toBe(101);
  });
});

describe('a timer that changes', () => {
  test('before it fires, by being cancelled or set to another instant, follows the change', async () => {
    await timers.set({ kind: 'remind', key: 'gone', at: NOW + 1 });
    await timers.set({ kind: 'remind', key: 'moved', at: NOW + 1 });
    await timers.set({ kind: 'remind', key: 'moved', at: NOW + HOUR_MS });
    await timers.cancel('remind', 'gone');
    await timers.cancel('remind', 'never set');
    testStores.time.now += HOUR_MS;
    await run([handler('remind')]);
    await until(isEmpty);
    expect(fired).toEqual([`remind moved +${HOUR_MS}`]);
  });

  test('between being read and being fired, by being cancelled, does not fire', async () => {
    await timers.set({ kind: 'remind', key: 't1', at: NOW });
    await timers.set({ kind: 'remind', key: 't2', at: NOW });
    let cancelled = false;
    const cancel = async (): Promise<void> => {
      if (!cancelled) await timers.cancel('remind', 't2');
      cancelled = true;
    };
    await run([handler('remind', { fire: cancel })]);
    await until(isEmpty);
    expect(fired).toEqual(['remind t1 +0']);
  });

  test('while it fires, by being set to another instant, fires again', async () => {
    await timers.set({ kind: 'remind', key: 't1', at: NOW });
    const again = async (): Promise<void> => {
      if (fired.length < 3) await timers.set({ kind: 'remind', key: 't1', at: NOW + fired.length });
    };
    await run([handler('remind', { fire: again })]);
    await until(() => fired.length === 1);
    testStores.time.now += 2;
    await until(isEmpty);
    expect(fired).toEqual(['remind t1 +0', 'remind t1 +1', 'remind t1 +2']);
  });

  test('while it fires, by being set to the same instant, does not fire again', async () => {
    await timers.set({ kind: 'remind', key: 't1', at: NOW, data: { project: 'p1' } });
    await run([handler('remind', { fire: () => timers.set({ kind: 'remind', key: 't1', at: NOW, data: { project: 'p2' } }) })]);
    await until(isEmpty);
    expect(fired).toEqual(['remind t1 +0']);
  });
});

describe('across processes a timer', () => {
  test('whose handler was interrupted by the end of its process fires again in the next one', async () => {
    await timers.set({ kind: 'remind', key: 't1', at: NOW });
    const first = new TimerRunner({ timers, vault: testStores.vault, clock: () => testStores.time.now, log: testStores.log });
    const cutOff = (_timer: Timer, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        fired.push('begun');
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    await first.start([{ kind: 'remind', afterRestore: 'fire', fire: cutOff }]);
    await until(() => fired.length === 1);
    await first.stop();
    await run([handler('remind')]);
    await until(isEmpty);
    expect(fired).toEqual(['begun', 'remind t1 +0']);
  });

  test('does not fire in a process whose lease has ended', async () => {
    const over = new AbortController();
    const term: Term = { fence: 1, signal: over.signal, isHeld: () => false, giveUp: () => over.abort() };
    await timers.set({ kind: 'remind', key: 't1', at: NOW });
    await run([handler('remind')], { term });
    await until(() => over.signal.aborted);
    expect([fired, (await timers.get('remind', 't1'))?.at]).toEqual([[], NOW]);
  });

  test('of an unknown kind stays for a program that knows it', async () => {
    await timers.set({ kind: 'of-another-version', key: 't1', at: NOW });
    await timers.set({ kind: 'remind', key: 't1', at: NOW });
    await run([handler('remind')]);
    await until(async () => (await timers.get('remind', 't1')) === null);
    expect(await timers.get('of-another-version', 't1')).toEqual({ kind: 'of-another-version', key: 't1', at: NOW });
  });
});

describe('a handler', () => {
  test('that is slow delays no other kind', async () => {
    let end = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      end = resolve;
    });
    await timers.set({ kind: 'slow', key: 's1', at: NOW });
    for (const key of ['t1', 't2']) await timers.set({ kind: 'remind', key, at: NOW });
    await run([handler('slow', { fire: () => slow }), handler('remind')]);
    await until(() => fired.length === 3);
    expect(fired.toSorted()).toEqual(['remind t1 +0', 'remind t2 +0', 'slow s1 +0']);
    end();
  });

  test.each([new ServiceUnavailable('frozen'), new Refused('store.busy')])(
    'that meets a transient error is called until it succeeds, with one log line at the start and one at the end',
    async (failure) => {
      await timers.set({ kind: 'remind', key: 't1', at: NOW });
      let failures = 0;
      await run([handler('remind', { fire: () => ((failures += 1) > 6 ? Promise.resolve() : Promise.reject(failure)) })]);
      await until(async () => {
        testStores.time.now += 60_000;
        // Setting a timer of the kind ends its wait.
        await timers.set({ kind: 'remind', key: 'later', at: NOW + 10 ** 12 });
        return testStores.logged.length === 2;
      });
      expect(await timers.get('remind', 't1')).toBeNull();
      expect(fired).toHaveLength(7);
      expect(testStores.logged.map(({ level, message }) => [level, message])).toEqual([
        ['error', 'a store is unavailable or busy: retrying with backoff'],
        ['info', 'the store is available again: continuing'],
      ]);
    },
  );

  test('that fails five times has its timer parked, others of its kind fire meanwhile, and a replay makes it due again', async () => {
    let isBroken = true;
    await timers.set({ kind: 'remind', key: 'bad', at: NOW });
    await timers.set({ kind: 'remind', key: 'good', at: NOW + 1 });
    testStores.time.now += 1;
    await run([
      handler('remind', { fire: () => (isBroken && fired.at(-1)?.includes('bad') === true ? Promise.reject(new Error('never')) : Promise.resolve()) }),
    ]);
    await until(async () => (await timers.parked('remind')).length === 1);
    expect([fired.filter((each) => each.includes('bad')).length, fired.filter((each) => each.includes('good')).length]).toEqual([5, 1]);
    expect(await storedTimers(testStores.vault, testStores.time.now)).toEqual([
      { kind: 'remind', pending: 0, due: 0, next: null, parked: [{ key: 'bad', at: NOW, tries: 5 }] },
    ]);
    expect(testStores.logged.map(({ message }) => message)).toEqual([...Array.from({ length: 4 }, () => 'timer failed, trying again'), 'timer parked']);
    isBroken = false;
    expect(await timers.replay('remind', testStores.time.now)).toBe(1);
    await until(isEmpty);
    expect(fired.at(-1)).toBe('remind bad +0');
  });

  test('is refused if its kind already has one', async () => {
    await expect(run([handler('remind'), handler('remind')])).rejects.toThrow('two handlers for timers of the kind remind');
  });
});

test('while the vault is unavailable no timer is lost, with one log line at the start and one at the end', async () => {
  await timers.set({ kind: 'remind', key: 't1', at: NOW });
  let failures = 0;
  const flaky = withOverride(timers, 'upcoming', (kind: string, limit: number) =>
    (failures += 1) <= 3 ? Promise.reject(new ServiceUnavailable('frozen')) : timers.upcoming(kind, limit),
  );
  await run([handler('remind')], { from: flaky });
  await until(isEmpty);
  expect(testStores.logged.map(({ level }) => level)).toEqual(['error', 'info']);
});

test('after a restore, timers that were due before it fire or not as their handler declares', async () => {
  for (const kind of ['clean-up', 'remind']) for (const at of [NOW, NOW + 2]) await timers.set({ kind, key: `t${at - NOW}`, at });
  await testStores.vault.declare({ name: RESTORES.name });
  await testStores.vault.put(RESTORES.name, RESTORES.id, { at: NOW + 1 });
  testStores.time.now += 2;
  await run([handler('clean-up'), handler('remind', { afterRestore: 'drop' })]);
  await until(isEmpty);
  expect(fired.toSorted()).toEqual(['clean-up t0 +0', 'clean-up t2 +2', 'remind t2 +2']);
});
