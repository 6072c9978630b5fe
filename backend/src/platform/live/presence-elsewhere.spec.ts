import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withOverride, temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { Vault } from '../vault/vault.js';
import { type Here, PresenceElsewhere, type PresenceTimes } from './presence-elsewhere.js';

/** No process is declared dead, however long a write takes. */
const TIMES: PresenceTimes = { beat: 20, look: 5, dead: 3_600_000 };
let said: string[];
const log = { info: (_: object, message: string) => void said.push(message), error: (_: object, message: string) => void said.push(message) };

/** A process with people in it. */
class Process {
  here: Here = {};
  /** Every room that was reported as changed, in order. */
  readonly moved: string[] = [];
  readonly presence: PresenceElsewhere;

  constructor(vault: Vault | null, times = TIMES) {
    this.presence = new PresenceElsewhere(vault, log, times);
  }

  async open(here: Here = {}): Promise<this> {
    processes.push(this);
    await this.presence.start({ here: () => this.here, moved: (rooms) => void this.moved.push(...rooms) });
    return this.says(here);
  }

  says(here: Here): this {
    this.here = here;
    this.presence.changed();
    return this;
  }

  async sees(room: string, uids: readonly string[]): Promise<void> {
    while (this.presence.hereIn(room).toSorted().join() !== uids.join()) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

let kept: TemporaryVault;
let processes: Process[];
beforeEach(async () => {
  kept = await temporaryVault();
  processes = [];
  said = [];
});
afterEach(async () => {
  for (const { presence } of processes) await presence.stop();
  await kept.remove();
});

const records = async (): Promise<number> => (await kept.vault.find('presence', {})).length;

test('people coming and going in one process are reported in the others, not in their own', async () => {
  const one = await new Process(kept.vault).open({ p1: ['ana'] });
  const other = await new Process(kept.vault).open();
  await other.sees('p1', ['ana']);
  one.says({ p1: ['ana', 'bob'], p2: ['bob'] });
  await other.sees('p1', ['ana', 'bob']);
  await other.sees('p2', ['bob']);
  one.says({ p2: ['bob'] });
  await other.sees('p1', []);
  expect(other.moved).toEqual(['p1', 'p1', 'p2', 'p1']);
  expect([one.moved, one.presence.hereIn('p2')]).toEqual([[], []]);
  expect([one, other].map(({ presence }) => presence.everywhereIn('p2'))).toEqual([['bob'], ['bob']]);
});

test('people of several processes are all present', async () => {
  await new Process(kept.vault).open({ p1: ['ana'] });
  await new Process(kept.vault).open({ p1: ['bob'] });
  const third = await new Process(kept.vault).open({ p1: ['zoe'] });
  await third.sees('p1', ['ana', 'bob']);
  expect(third.moved.length).toBeGreaterThan(0);
});

test('the people of a process that stops are gone at once', async () => {
  const one = await new Process(kept.vault).open({ p1: ['ana'] });
  const other = await new Process(kept.vault).open();
  await other.sees('p1', ['ana']);
  await one.presence.stop();
  await other.sees('p1', []);
  expect(await records()).toBe(0);
});

test('a process without heartbeats is dead after a timeout, and present again if it was only slow', async () => {
  let isFrozen = false;
  const sluggish = withOverride(kept.vault, 'put', (...record) => (isFrozen ? Promise.reject(new ServiceUnavailable('frozen')) : kept.vault.put(...record)));
  await new Process(sluggish).open({ p1: ['ana'] });
  const other = await new Process(kept.vault, { ...TIMES, dead: 1_500 }).open();
  await other.sees('p1', ['ana']);
  isFrozen = true;
  await other.sees('p1', []);
  while ((await records()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  isFrozen = false;
  await other.sees('p1', ['ana']);
  expect(other.moved).toEqual(['p1', 'p1', 'p1']);
});

test('an outage of the vault makes no process look dead', async () => {
  let isUnavailable = false;
  const looks: boolean[] = [];
  const vault = withOverride(kept.vault, 'find', (collection, query) => {
    looks.push(isUnavailable);
    return isUnavailable ? Promise.reject(new ServiceUnavailable('cut off')) : kept.vault.find(collection, query);
  });
  const lookedTimes = async (times: number): Promise<void> => {
    looks.length = 0;
    while (looks.length < times) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  // Sends no second heartbeat: it would be dead if the outage counted.
  await new Process(kept.vault, { ...TIMES, beat: 3_600_000 }).open({ p1: ['ana'] });
  const other = await new Process(vault, { ...TIMES, look: 20, dead: 400 }).open();
  await other.sees('p1', ['ana']);
  isUnavailable = true;
  await lookedTimes(25);
  isUnavailable = false;
  await lookedTimes(3);
  expect(other.presence.hereIn('p1')).toEqual(['ana']);
  expect(said).toEqual(['presence of other processes cannot be read, retrying', 'presence of other processes is read again']);
});

test('without a shared vault presence is not exchanged', async () => {
  const alone = await new Process(null).open({ p1: ['ana'] });
  await kept.vault.declare({ name: 'presence' });
  expect([alone.presence.hereIn('p1'), alone.moved, await records()]).toEqual([[], [], 0]);
});
