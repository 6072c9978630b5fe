import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { manualClock } from '../../testing/manual-clock.js';
import type { Term } from '../leases/lease.js';
import { OperatorRequests } from '../leases/operator-requests.js';
import { ReadSide } from '../projections/read-side.js';
import { PermanentLease } from '../leases/permanent-lease.js';
import { LEASE_TIMES, VaultLease } from '../leases/vault-lease.js';
import { Timers } from '../timers/timers.js';
import type { BackgroundLoop } from './background-loop.js';
import { ParkedReactions } from './parked-reactions.js';
import { type Chore, Chores } from './chores.js';
import { ReactorRole } from './reactor-role.js';
import { ReactorRunner } from './reactor-runner.js';
import { checkpointOf, TakenCheckpoint } from './taken-checkpoint.js';
import { appendNext } from '../../testing/append-next.js';

const WAIT_MS = 20_000;
/** The timeout of a request that no process picks up. */
const GIVEN_UP_MS = 2_000;
let testStores: TestStores;
let roles: ReactorRole[];
let seen: string[];
let readSide: ReadSide;

const reactor = (who: string): Reactor => ({
  name: 'note-renamings',
  startsAt: 'end',
  handles: new Set(['ProjectRenamed']),
  react: (event: StoredEvent) => {
    seen.push(`${who}: ${(event.data as { to: string }).to}`);
    return Promise.resolve();
  },
});
/** A process on the same stores. */
async function process(
  who: string,
  {
    reacts = true,
    chores = [] as readonly Chore[],
    requestMs = WAIT_MS,
    reactors = [reactor(who)] as readonly Reactor[],
    beside = [] as readonly BackgroundLoop[],
    isAlone = false,
  } = {},
): Promise<ReactorRole> {
  const { vault, store, opened, log } = testStores;
  const { now } = manualClock();
  const timers = await Timers.open(vault);
  const lease = isAlone
    ? new PermanentLease('reactor')
    : await VaultLease.open('reactor', { vault, log, clock: now, now, times: { ...LEASE_TIMES, renew: 1, poll: 1 } });
  const role = new ReactorRole({
    store,
    vault,
    opened,
    log,
    lease,
    readSide,
    timers,
    clock: now,
    requests: new OperatorRequests(vault, 'reactor', log, requestMs),
    reacts,
  });
  roles.push(role);
  for (const loop of beside) role.beside(loop);
  await role.start({ reactors, chores });
  return role;
}
const rename = async (...names: readonly string[]): Promise<number> => {
  const meta = { actorUid: 'ana', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
  const events = names.map((to) => ({ id: randomUUID(), type: 'ProjectRenamed', data: { from: '', to }, meta }));
  const sealed = await Promise.all(events.map((event) => testStores.sealer.seal('project-p1', event)));
  return (await appendNext(testStores.store, 'project-p1', sealed)).position;
};
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(async () => {
  testStores = await openTestStores();
  roles = [];
  seen = [];
  readSide = new ReadSide();
  readSide.serve(0);
});
afterEach(async () => {
  for (const role of roles) await role.stop();
  await testStores.close();
});

test('one process reacts; when it ends, another continues after the last reaction, and no event is reacted to twice', async () => {
  const first = await process('first');
  await until(() => first.isReacting());
  const second = await process('second');
  await rename('one', 'two');
  await until(() => seen.length === 2);
  await first.stop();
  await rename('three');
  await until(() => seen.length === 3);
  expect(seen).toEqual(['first: one', 'first: two', 'second: three']);
  expect([first.isReacting(), second.isReacting(), await second.heldBy()]).toMatchObject([false, true, { fence: 2 }]);
});

test('a single process that is paused reacts once it is resumed, to each event once', async () => {
  const only = await process('only', { isAlone: true });
  await rename('one');
  await until(() => seen.length === 1);
  const resume = await only.pause();
  const position = await rename('two', 'three');
  expect([only.isReacting(), await only.status()]).toEqual([false, []]);
  await resume();
  await until(async () => (await only.status())[0]?.checkpoint === position);
  expect(seen).toEqual(['only: one', 'only: two', 'only: three']);
});

test('a process that does not react reports how far the others are, including events that need no reaction', async () => {
  const web = await process('web', { reacts: false });
  expect([await web.status(), await web.heldBy()]).toEqual([[{ reactor: 'note-renamings', checkpoint: 0, lag: 0, parked: [] }], null]);
  const other = await process('other');
  await until(() => other.isReacting());
  const position = await rename('one');
  const meta = { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null };
  await appendNext(testStores.store, 'project-p1', [{ id: randomUUID(), type: 'ProjectLeft', data: { uid: 'bob' }, meta }]);
  await until(async () => (await web.status())[0]?.lag === 0);
  expect(await web.status()).toEqual([{ reactor: 'note-renamings', checkpoint: position + 1, lag: 0, parked: [] }]);
});

test('a new reactor misses nothing that a new web process appends before the reactors move to the new version', async () => {
  await rename('before the rollout');
  const old = await process('old', { reactors: [] });
  await until(() => old.isReacting());
  await process('new web', { reacts: false });
  const next = await process('new');
  await rename('during the rollout');
  await old.stop();
  await until(() => next.isReacting());
  await rename('after it');
  await until(() => seen.length === 2);
  expect(seen).toEqual(['new: during the rollout', 'new: after it']);
});

test('a reactor that has a checkpoint keeps it, however many processes start', async () => {
  await TakenCheckpoint.take(testStores.vault, 'note-renamings', 1);
  await rename('one', 'two', 'three');
  await process('web', { reacts: false });
  expect(await checkpointOf(testStores.vault, 'note-renamings')).toBe(1);
});

test('a process that does not react reports neither removed reactors nor a publisher that its environment does not name', async () => {
  const following = { name: 'publish', start: () => Promise.resolve(), stop: () => Promise.resolve(), status: () => Promise.reject(new Error('not here')) };
  const publish = { ...following, replay: () => Promise.resolve({ done: [], failed: [] }), rewind: () => Promise.resolve(null) };
  const [web, other] = [await process('web', { reacts: false }), await process('another web', { reacts: false })];
  web.beside(publish);
  for (const name of ['note-renamings', 'note-what-was', 'publish']) await TakenCheckpoint.take(testStores.vault, name);
  await rename('one');
  const told = async (role: ReactorRole): Promise<readonly string[]> => (await role.status()).map((each) => each.reactor).toSorted();
  expect([await told(web), await told(other)]).toEqual([['note-renamings', 'publish'], ['note-renamings']]);
});

test('parked reactions are replayed where reactors run, whichever process is asked; with no such process the answer says so', async () => {
  const position = await rename('one');
  const web = await process('web', { reacts: false });
  const hasty = await process('hasty', { reacts: false, requestMs: GIVEN_UP_MS });
  await expect(hasty.replay('note-renamings')).rejects.toThrow(new Refused('role.away'));
  const parked = await ParkedReactions.open(testStores.vault);
  await parked.park('note-renamings', { position, stream: 'project-p1', type: 'ProjectRenamed', reason: 'reaction' });
  await process('other');
  expect(await web.replay('note-renamings', position)).toEqual({ done: [position], failed: [] });
  expect([await web.replay('nobody'), seen]).toEqual([null, ['other: one']]);
});

test('a log follower is rewound where reactors run, whichever process is asked; a reactor is not', async () => {
  const moved: number[] = [];
  const publish = {
    name: 'publish',
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    status: () => Promise.reject(new Error('not asked')),
    replay: () => Promise.reject(new Error('not asked')),
    rewind: (to: number) => Promise.resolve({ from: 9, to: moved.push(to) && to }),
  };
  const web = await process('web', { reacts: false });
  const other = await process('other', { beside: [publish] });
  expect(await web.rewind('publish', 3)).toEqual({ from: 9, to: 3 });
  expect(await other.rewind('publish', 0)).toEqual({ from: 9, to: 0 });
  expect([await web.rewind('note-renamings', 0), moved]).toEqual([null, [3, 0]]);
});

test('a runner whose lease was lost without notice stops at its next checkpoint', async () => {
  const term = (fence: number): Term & { isGivenUp: boolean } => {
    const self = { fence, signal: new AbortController().signal, isHeld: () => true, isGivenUp: false, giveUp: () => void (self.isGivenUp = true) };
    return self;
  };
  const [old, young] = [term(1), term(2)];
  const [stale, next] = [new ReactorRunner(testStores, old), new ReactorRunner(testStores, young)];
  await stale.start([reactor('stale')]);
  await next.start([reactor('next')]);
  await rename('one');
  await until(() => old.isGivenUp && seen.includes('next: one'));
  expect(young.isGivenUp).toBe(false);
  await Promise.all([stale.stop(), next.stop()]);
});

test('chores run where reactors run, at the start if they are declared so', async () => {
  const done: string[] = [];
  const chore = (name: string, when: Chore['when']): Chore => ({ name, when, run: () => Promise.resolve(done.push(name)) });
  const chores = [chore('begin', 'start'), chore('now and then', 'hourly'), chore('both', 'start and hourly')];
  await process('web', { reacts: false, chores });
  const first = await process('first', { chores });
  await until(() => first.isReacting());
  await until(() => done.length === 2);
  expect(done).toEqual(['begin', 'both']);
});

test('chores wait until read models are served, and report no failure until then', async () => {
  readSide.withdraw();
  const done: boolean[] = [];
  const run = () => (readSide.isServed ? Promise.resolve(done.push(true)) : Promise.reject(new Refused('store.away')));
  const first = await process('first', { chores: [{ name: 'the guest', when: 'start', run }] });
  await until(() => first.isReacting());
  await rename('one');
  await until(() => seen.length === 1);
  expect(done).toEqual([]);
  readSide.serve(0);
  await until(() => done.length === 1);
  expect(testStores.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a failing chore is reported with the time since its first failure, and no longer once it succeeds', async () => {
  let isBroken = true;
  let runs = 0;
  const chores = new Chores({ log: testStores.log, readSide, againMs: 5 });
  const ending = new AbortController();
  const run = (): Promise<void> => {
    runs += 1;
    return isBroken ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
  };
  readSide.serve(0);
  chores.start([{ name: 'trash', when: 'start and hourly', run }], ending.signal);
  expect(chores.failingSeconds()).toEqual({ trash: 0 });
  await until(() => runs > 2);
  const first = chores.failingSeconds()['trash'] ?? 0;
  await until(() => (chores.failingSeconds()['trash'] ?? 0) > first);
  isBroken = false;
  await until(() => chores.failingSeconds()['trash'] === 0);
  ending.abort();
  chores.forget();
  expect(chores.failingSeconds()).toEqual({});
});
