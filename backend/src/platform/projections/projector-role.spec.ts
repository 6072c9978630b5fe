import { randomUUID } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { projector } from '../../kernel/projector.js';
import { Refused } from '../../kernel/refusal.js';
import { slices } from '../../slices.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject, type ProjectHistory, PROJECT_ID } from '../../testing/project-history.js';
import { documentsOf, foldedBy } from '../../testing/projected-documents.js';
import { manualClock } from '../../testing/manual-clock.js';
import { withOverride } from '../../testing/temporary-vault.js';
import { Fenced } from '../documents/documents.js';
import type { Term } from '../leases/lease.js';
import { OperatorRequests } from '../leases/operator-requests.js';
import { LEASE_TIMES, VaultLease } from '../leases/vault-lease.js';
import { ServiceUnavailable } from '../store-errors.js';
import { ProjectorRole } from './projector-role.js';
import { ReadModels } from './read-models.js';
import { appendNext } from '../../testing/append-next.js';

const WAIT_MS = 20_000;
/** The timeout of a request that no process picks up. */
const GIVEN_UP_MS = 2_000;
let testStores: TestStores;
let time: ReturnType<typeof manualClock>;
let running: Process[];

/** A process on the same stores, with nothing else in common with the others. */
interface Process {
  readonly role: ProjectorRole;
  readonly reads: ReadModels;
  /** Its vault is unavailable: it cannot renew, as one that was frozen. */
  isCutOff: boolean;
}

async function process({ builds = true, projectors = slices.projectors, requestMs = WAIT_MS } = {}): Promise<Process> {
  const { vault, store, documents, opened, log } = testStores;
  const cut = withOverride(vault, 'replace', (...args) => (self.isCutOff ? Promise.reject(new ServiceUnavailable('away')) : vault.replace(...args)));
  const times = { ...LEASE_TIMES, renew: 1, poll: 1 };
  const lease = await VaultLease.open('projector', { vault: cut, log, clock: time.now, now: time.now, times });
  const reads = new ReadModels(documents);
  const requests = new OperatorRequests(vault, 'projector', log, requestMs);
  const role = new ProjectorRole({ store, documents, opened, log, reads, lease, requests, builds, editions: null });
  const self: Process = { role, reads, isCutOff: false };
  running.push(self);
  await role.start(projectors);
  return self;
}
async function append(history: ProjectHistory, from = 0): Promise<number> {
  const events = history.events.slice(from).map(({ type, data, meta }): NewEvent => ({ id: randomUUID(), type, data, meta }));
  const stream = history.events[0]?.stream ?? '';
  const sealed = await Promise.all(events.map((event) => testStores.sealer.seal(stream, event)));
  return (await testStores.store.append(stream, from === 0 ? 'none' : from - 1, sealed)).position;
}
const held = async ({ role }: Process, position: number): Promise<void> => expect(await role.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
const name = async ({ reads }: Process): Promise<string | undefined> => (await reads.get<{ projectName: string }>('projects', PROJECT_ID))?.projectName;
const renamed = (history: ProjectHistory, to: string): ProjectHistory => history.and({ type: 'ProjectRenamed', data: { from: '', to } });
const started = aProject()
  .ownedBy('ana')
  .withVersion('v1')
  .sharedWith('bob')
  .withRegion('r1', { by: 'bob' })
  .withComment('c1', { by: 'bob', tags: ['r1'] });
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
const allEvents = async () => testStores.opened.open(await testStores.store.readAll({ after: 0 }));
/** Every document of what is served, beside what the log says it must be. */
async function compared({ role }: Process) {
  const events = await allEvents();
  const generations = new Map((await role.status()).map((each) => [each.projector, each.generation]));
  const stored = await Promise.all(slices.projectors.map((each) => documentsOf(testStores.documents, each, events, generations.get(each.name))));
  const folded = await Promise.all(slices.projectors.map((each) => foldedBy(testStores, each, events)));
  return { stored, folded };
}

beforeEach(async () => {
  testStores = await openTestStores();
  time = manualClock();
  running = [];
});
afterEach(async () => {
  for (const { role } of running) await role.stop();
  await testStores.close();
});

test('reads are refused with a retryable refusal until the read models are built', async () => {
  const web = await process({ builds: false });
  expect([web.role.readSide.isServed, await web.role.heldBy()]).toEqual([false, null]);
  await expect(name(web)).rejects.toThrow(new Refused('store.away'));
  await append(started);
  const builder = await process();
  expect(await web.role.readSide.servedWithin(WAIT_MS)).toBe(true);
  await until(async () => (await name(web)) === 'Low tide');
  // It serves what it built a moment after others can read it.
  await until(() => builder.role.isBuilding());
  expect(await web.role.heldBy()).toMatchObject({ fence: 1 });
  expect([builder.role.isBuilding(), web.role.isBuilding()]).toEqual([true, false]);
});

test('a process that builds nothing reads a write as soon as the other has saved it', async () => {
  const web = await process({ builds: false });
  await process();
  let history = started;
  await held(web, await append(history));
  for (const to of ['High tide', 'Ebb', 'Flood']) {
    history = renamed(history, to);
    await held(web, await append(history, history.events.length - 1));
    expect(await name(web)).toBe(to);
  }
  expect((await web.role.status()).map(({ lag }) => lag)).toEqual(slices.projectors.map(() => 0));
});

test('in a process that builds nothing, reads as of a position wait until the other has saved what they read', async () => {
  const web = await process({ builds: false });
  await process();
  expect(await web.role.readSide.servedWithin(WAIT_MS)).toBe(true);
  let history = started;
  await web.reads.asOf(await append(history), () => name(web));
  for (const to of ['High tide', 'Ebb', 'Flood']) {
    history = renamed(history, to);
    expect(await web.reads.asOf(await append(history, history.events.length - 1), () => name(web))).toBe(to);
  }
  // As a query that names a position: it waits for a limited time, and learns if that was too short.
  const behind: number[] = [];
  const asked = (position: number, milliseconds: number): Promise<string | undefined> =>
    web.reads.wanting({ position, deadline: performance.now() + milliseconds, onBehind: (reached) => behind.push(reached) }, () => name(web));
  for (const to of ['Slack', 'Neap']) {
    history = renamed(history, to);
    expect(await asked(await append(history, history.events.length - 1), WAIT_MS)).toBe(to);
  }
  expect(behind).toEqual([]);
  const end = await testStores.store.head();
  expect(await asked(end + 1, 1)).toBe('Neap');
  expect(behind).toEqual([end]);
});

test('a process that builds nothing knows which streams the other has parked', async () => {
  const web = await process({ builds: false });
  await process();
  await held(web, await append(started));
  const stream = projectStream(PROJECT_ID);
  expect(await web.reads.isParked('projects', stream)).toBe(false);
  const meta = { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null };
  const { position } = await appendNext(testStores.store, stream, [{ id: randomUUID(), type: 'FromTheFuture', data: {}, meta }]);
  await held(web, position);
  expect([await web.reads.isParked('projects', stream), await web.reads.isParked('projects', projectStream('p2'))]).toEqual([true, false]);
  expect(() => web.role.readSide.requireReadable(stream, ['projects'])).toThrow(new Refused('stream.unreadable'));
});

test('read models of another version of the program are not read', async () => {
  const next = projector({ name: 'users', version: 99, collections: [{ name: 'users', indexes: [] }] }, {});
  await process();
  const newer = await process({ builds: false, projectors: [next] });
  expect(await newer.role.readSide.servedWithin(300)).toBe(false);
  await expect(newer.reads.get('users', 'ana')).rejects.toThrow(new Refused('store.away'));
});

test('when the building process is cut off, another takes over without a gap or a duplicate, and the first becomes a follower', async () => {
  const first = await process();
  await until(() => first.role.isBuilding());
  const second = await process();
  await held(second, await append(started));
  first.isCutOff = true;
  await until(async () => {
    time.move(250);
    await new Promise((resolve) => setTimeout(resolve, 10));
    return (await second.role.heldBy())?.fence === 2;
  });
  await until(() => second.role.isBuilding());
  expect(first.role.isBuilding()).toBe(false);
  first.isCutOff = false;
  const position = await append(renamed(started, 'High tide'), started.events.length);
  await Promise.all([held(first, position), held(second, position)]);
  expect([await name(first), await name(second)]).toEqual(['High tide', 'High tide']);
  const { stored, folded } = await compared(second);
  expect(stored).toEqual(folded);
});

test('after an orderly shutdown the other process takes over without waiting', async () => {
  const first = await process();
  await until(() => first.role.isBuilding());
  const second = await process();
  await first.role.stop();
  await until(() => second.role.isBuilding());
  expect(await second.role.heldBy()).toMatchObject({ fence: 2 });
});

describe('a rebuild that another process asks for', () => {
  test('is started where read models are built; followers switch to it, and the replaced documents are kept for a while', async () => {
    const builder = await process();
    await append(started);
    const web = await process({ builds: false });
    await web.role.readSide.servedWithin(WAIT_MS);
    expect([await web.role.rebuild('projects'), await web.role.rebuild('nobody')]).toEqual([2, null]);
    await until(async () => (await web.role.status()).some((each) => each.projector === 'projects' && each.generation === 2));
    const version = slices.projectors.find((each) => each.name === 'projects')?.version ?? 0;
    expect(await testStores.documents.collections()).toEqual(expect.arrayContaining([`projects_v${version}_g1`, `projects_v${version}_g2`]));
    const position = await append(renamed(started, 'High tide'), started.events.length);
    await held(web, position);
    expect(await name(web)).toBe('High tide');
    const { stored, folded } = await compared(builder);
    expect(stored).toEqual(folded);
  });

  test('is refused when no process builds, and is not started later', async () => {
    const web = await process({ builds: false, requestMs: GIVEN_UP_MS });
    await expect(web.role.rebuild('projects')).rejects.toThrow(new Refused('role.away'));
    expect(await testStores.vault.find('orders', {})).toEqual([]);
  });
});

describe('a process that continues after its lease ended, because its clock stood still', () => {
  const term = (fence: number): Term & { isGivenUp: boolean } => {
    const over = new AbortController();
    const self = { fence, signal: over.signal, isHeld: () => true, isGivenUp: false, giveUp: () => void (self.isGivenUp = true) };
    return self;
  };

  test('changes nothing that differs from the log', async () => {
    const [old, young] = [term(1), term(2)];
    const stale = testStores.projections(old);
    await stale.start(slices.projectors);
    await append(started);
    const next = testStores.projections(young);
    await next.start(slices.projectors);
    let history = started;
    for (let edit = 0; edit < 60; edit += 1) {
      history = edit % 2 === 0 ? renamed(history, `name ${edit}`) : history.withComment(`d${edit}`, { by: 'bob' });
      const position = await append(history, history.events.length - 1);
      if (edit % 3 === 0) await next.deps.readSide.saved.waitFor(position, WAIT_MS);
    }
    const head = await testStores.store.head();
    await Promise.all([stale, next].map((each) => each.deps.readSide.saved.waitFor(head, WAIT_MS)));
    const events = await allEvents();
    const stored = await Promise.all(slices.projectors.map((each) => documentsOf(testStores.documents, each, events)));
    expect(stored).toEqual(await Promise.all(slices.projectors.map((each) => foldedBy(testStores, each, events))));
    await Promise.all([stale.stop(), next.stop()]);
    expect(testStores.logged).toEqual([]);
  });

  test('can neither start a rebuild, nor park a stream, nor change what is served: it notices the lost lease', async () => {
    const [old, young] = [term(1), term(2)];
    const stale = testStores.projections(old);
    await stale.start(slices.projectors);
    const next = testStores.projections(young);
    await next.start(slices.projectors);
    await expect(stale.rebuild('projects')).rejects.toThrow(Fenced);
    const meta = { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    const { position } = await appendNext(testStores.store, 'project-x', [{ id: randomUUID(), type: 'FromTheFuture', data: {}, meta }]);
    await until(() => old.isGivenUp);
    expect(await next.deps.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
    expect([young.isGivenUp, (await next.status()).map(({ generation }) => generation)]).toEqual([false, slices.projectors.map(() => 1)]);
    await Promise.all([stale.stop(), next.stop()]);
  });
});
