import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualClock } from '../../testing/manual-clock.js';
import { withOverride, temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { Vault } from '../vault/vault.js';
import { type Term, whenAborted } from './lease.js';
import { LEASE_TIMES, type LeaseRecord, type LeaseTimes, STAND_IN_TIMES, VaultLease } from './vault-lease.js';
import { whileHolding } from './while-holding.js';

let stored: TemporaryVault;
let time: ReturnType<typeof manualClock>;
let stopping: AbortController;
let leases: VaultLease[];
let errors: string[];

/** A separate process with a lease. It renews and polls every millisecond; timeouts follow a clock that the test moves. */
const process = async (vault: Vault = stored.vault, lasting: LeaseTimes = LEASE_TIMES): Promise<VaultLease> => {
  const log = { info: () => undefined, error: (_fields: object, message: string) => void errors.push(message) };
  const lease = await VaultLease.open('projector', { vault, log, clock: time.now, now: time.now, times: { ...lasting, renew: 1, poll: 1 } });
  leases.push(lease);
  return lease;
};
const acquired = async (lease: VaultLease): Promise<Term> => {
  const term = await lease.acquire(stopping.signal);
  if (term === null) throw new Error('not acquired');
  return term;
};
const record = async (): Promise<LeaseRecord> => {
  const found = await stored.vault.get<LeaseRecord>('leases', 'projector');
  if (found === null) throw new Error('the lease was never taken');
  return found.body;
};
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
/** A vault that counts its reads and can be unavailable. */
function watched(): { readonly vault: Vault; reads: number; isUnavailable: boolean } {
  const watch = { vault: stored.vault, reads: 0, isUnavailable: false };
  const inner = stored.vault;
  const away = (): Promise<never> => Promise.reject(new ServiceUnavailable('away'));
  const reading = withOverride(inner, 'get', async (collection, id) => {
    if (watch.isUnavailable) return away();
    const found = await inner.get(collection, id);
    watch.reads += 1;
    return found;
  });
  watch.vault = withOverride(reading, 'replace', (...args) => (watch.isUnavailable ? away() : inner.replace(...args)));
  return watch;
}
const readAgain = async (watch: { readonly reads: number }): Promise<void> => {
  const before = watch.reads;
  await until(() => watch.reads > before + 1);
};

beforeEach(async () => {
  stored = await temporaryVault();
  time = manualClock();
  stopping = new AbortController();
  leases = [];
  errors = [];
});
afterEach(async () => {
  stopping.abort();
  for (const lease of leases) await lease.release();
  await stored.remove();
});

test('the first process acquires the lease immediately; a second one waits while it is renewed, whatever its own clock says', async () => {
  const first = await process();
  const term = await acquired(first);
  expect([term.fence, term.isHeld(), await first.state()]).toMatchObject([1, true, { fence: 1, since: time.now() }]);
  const watch = watched();
  const second = await process(watch.vault);
  let taken = false;
  void second.acquire(stopping.signal).then((got) => (taken = got !== null));
  for (let round = 0; round < 10; round += 1) {
    await readAgain(watch);
    const { beat } = await record();
    time.move(1_000);
    await until(async () => (await record()).beat > beat + 1);
  }
  await readAgain(watch);
  expect([taken, term.isHeld(), (await record()).fence]).toEqual([false, true, 1]);
});

test('a holder that cannot renew stops before another takes over with a higher fence', async () => {
  const [mine, theirs] = [watched(), watched()];
  const term = await acquired(await process(mine.vault));
  await until(async () => (await record()).beat > 0);
  mine.isUnavailable = true;
  const second = await process(theirs.vault);
  const taking = second.acquire(stopping.signal);
  await readAgain(theirs);
  time.move(LEASE_TIMES.stop - 1);
  await readAgain(theirs);
  expect([term.isHeld(), term.signal.aborted]).toEqual([true, false]);
  time.move(1);
  expect(term.isHeld()).toBe(false);
  time.move(LEASE_TIMES.takeOver - LEASE_TIMES.stop - 1);
  await readAgain(theirs);
  expect((await record()).fence).toBe(1);
  time.move(1);
  const next = await taking;
  expect([next?.fence, next?.isHeld(), term.isHeld()]).toEqual([2, true, false]);
  mine.isUnavailable = false;
  await until(() => term.signal.aborted);
  expect([...new Set(errors)]).toEqual(['lease renewal failed, trying again']);
});

test('a holder that was frozen knows when it wakes up that its term has ended, before any timer runs', async () => {
  const term = await acquired(await process());
  time.move(60_000);
  expect(term.isHeld()).toBe(false);
});

test('a renewal counts from when it was sent, not from when it was answered', async () => {
  let sent = 0;
  const slow = withOverride(stored.vault, 'replace', async (...args) => {
    if (sent > 0) throw new ServiceUnavailable('away');
    const done = await stored.vault.replace(...args);
    sent = time.now();
    time.move(LEASE_TIMES.stop - 500);
    return done;
  });
  const term = await acquired(await process(slow));
  await until(() => sent > 0);
  await until(() => errors.length > 0);
  time.move(499);
  const before = term.isHeld();
  time.move(1);
  expect([before, term.isHeld()]).toEqual([true, false]);
});

test('a renewal whose answer was lost counts once it is read back', async () => {
  const lost = withOverride(stored.vault, 'replace', async (...args) => {
    await stored.vault.replace(...args);
    return false;
  });
  const term = await acquired(await process(lost));
  for (let round = 0; round < 3; round += 1) {
    const { beat } = await record();
    await until(async () => (await record()).beat > beat + 1);
    time.move(LEASE_TIMES.stop - 500);
  }
  expect(term.isHeld()).toBe(true);
});

test('a released lease passes to another process immediately, and never to two at a time', async () => {
  const [first, second] = [await process(), await process()];
  const term = await acquired(first);
  const taking = second.acquire(stopping.signal);
  await first.release();
  expect([(await taking)?.fence, term.isHeld(), (await second.state())?.fence]).toEqual([2, false, 2]);
  await second.release();
  expect(await second.state()).toBeNull();
});

test.each(['released', 'never taken'])('a stand-in leaves a lease that is free (%s) to the others for a moment', async (why) => {
  const watch = watched();
  const [first, standIn] = [await process(), await process(watch.vault, STAND_IN_TIMES)];
  if (why === 'released') {
    await acquired(first);
    await first.release();
  }
  const taking = standIn.acquire(stopping.signal);
  await readAgain(watch);
  time.move(STAND_IN_TIMES.takeFree - 1);
  await readAgain(watch);
  expect(await standIn.state()).toBeNull();
  time.move(1);
  expect((await taking)?.fence).toBe(why === 'released' ? 2 : 1);
});

test('only one of many concurrent processes acquires the lease', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => process()));
  const terms: Term[] = [];
  for (const each of all) void each.acquire(stopping.signal).then((term) => term !== null && terms.push(term));
  await until(() => terms.length > 0);
  const { beat } = await record();
  await until(async () => (await record()).beat > beat + 5);
  expect(terms.map(({ fence }) => fence)).toEqual([1]);
});

test('a holder that stopped while the vault was unavailable continues at once with a higher fence if no other process took over', async () => {
  const mine = watched();
  const lease = await process(mine.vault);
  const term = await acquired(lease);
  mine.isUnavailable = true;
  time.move(LEASE_TIMES.stop);
  expect(term.isHeld()).toBe(false);
  await lease.release();
  mine.isUnavailable = false;
  expect((await acquired(lease)).fence).toBe(2);
});

test('an aborted wait does not acquire the lease', async () => {
  await acquired(await process());
  const taking = (await process()).acquire(stopping.signal);
  stopping.abort();
  expect(await taking).toBeNull();
});

describe('work under a lease', () => {
  /** Two processes that compete for the work; `did` lists what they did, in order. */
  const compete = async (work: (term: Term) => Promise<void>): Promise<{ readonly did: readonly string[]; readonly end: (which: 0 | 1) => Promise<void> }> => {
    const did: string[] = [];
    const ends = [new AbortController(), new AbortController()];
    const both = [await process(), await process()];
    const runs = both.map((lease, at) => {
      const name = ['first', 'second'][at] ?? '';
      const signal = ends[at]?.signal ?? AbortSignal.abort();
      const onFailure = (error: unknown): void => void did.push(`${name} failed: ${String(error)}`);
      const logged = async (term: Term): Promise<void> => {
        did.push(`${name} begins ${term.fence}`);
        await work(term);
        did.push(`${name} ends`);
      };
      return whileHolding(lease, logged, { signal, onFailure });
    });
    const end = async (which: 0 | 1): Promise<void> => {
      ends[which]?.abort();
      await runs[which];
    };
    return { did, end };
  };

  test('starts in the other process only after it has ended in the first', async () => {
    const { did, end } = await compete((term) => whenAborted(term.signal));
    await until(() => did.length === 1);
    const [first, second] = did[0] === 'first begins 1' ? ([0, 1] as const) : ([1, 0] as const);
    await end(first);
    await until(() => did.length === 3);
    await end(second);
    expect(did.map((line) => line.replace(/^\w+ /, ''))).toEqual(['begins 1', 'ends', 'begins 2', 'ends']);
    expect(new Set(did.map((line) => line.split(' ')[0]))).toEqual(new Set(['first', 'second']));
  });

  test('a failure is reported, and the work starts again with a higher fence', async () => {
    let failures = 0;
    const { did, end } = await compete((term) => ((failures += 1) === 1 ? Promise.reject(new Error('no')) : whenAborted(term.signal)));
    await until(() => did.length === 3);
    expect(did.map((line) => line.replace(/^\w+ /, ''))).toEqual(['begins 1', 'failed: Error: no', 'begins 2']);
    await Promise.all([end(0), end(1)]);
  });
});
