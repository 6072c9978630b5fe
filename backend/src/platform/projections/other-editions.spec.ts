import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { NewEvent } from '../../kernel/event.js';
import type { Projector } from '../../kernel/projector.js';
import { slices } from '../../slices.js';
import { appendNext } from '../../testing/append-next.js';
import { aProject, PROJECT_ID, type ProjectHistory } from '../../testing/project-history.js';
import { manualClock } from '../../testing/temporary-vault.js';
import { openTestStores, type TestStores } from '../../testing/test-stores.js';
import { OperatorRequests } from '../leases/operator-requests.js';
import { ABANDONED_TIMES, LEASE_TIMES, type LeaseTimes, STAND_IN_TIMES, VaultLease } from '../leases/vault-lease.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { type Edition, editionDocuments, editionIn, editionOf, projectorLease } from './editions.js';
import { OtherEditions } from './other-editions.js';
import { ProjectorRole } from './projector-role.js';
import { ReadModels } from './read-models.js';

const WAIT_MS = 20_000;
const MINUTE_MS = 60_000;

/** A version of the program: its projectors, and whether it knows an event type that the others do not. */
interface Version {
  readonly edition: Edition;
  readonly projectors: readonly Projector[];
  readonly knowsMore?: boolean;
}

const versionOf = (projectors: readonly Projector[]): Version => ({ edition: editionOf(projectors), projectors });
const OLD = versionOf(slices.projectors);
/** The shape of its projects differs: it has the name in capitals, in another field. */
const NEW = versionOf(slices.projectors.map((each) => (each.name === 'projects' ? inCapitals(each) : each)));

function inCapitals(projects: Projector): Projector {
  const shout = (body: Readonly<Record<string, unknown>> | null) => body && { ...body, shout: String(body.projectName).toUpperCase() };
  const project: Projector['project'] = (event, found) =>
    projects.project(event, found).map(({ change, ...rest }) => ({ ...rest, change: (old) => shout(change(old)) }));
  return { ...projects, version: projects.version + 1, project };
}

interface Process {
  readonly role: ProjectorRole;
  readonly reads: ReadModels;
}

let testStores: TestStores;
let time: ReturnType<typeof manualClock>;
let running: Process[];

async function process({ edition, projectors, knowsMore = false }: Version, { builds = true } = {}): Promise<Process> {
  const { vault, store, documents: all, log, sealer } = testStores;
  const fast = (times: LeaseTimes): LeaseTimes => ({ ...times, renew: 1, poll: 1 });
  const leaseOf = (name: string, times: LeaseTimes) => VaultLease.open(name, { vault, log, clock: time.now, now: time.now, times: fast(times) });
  const documents = editionDocuments(all, edition);
  const reads = new ReadModels(documents);
  const more = { from: 'ProjectSungAloud', to: 'ProjectDescriptionEdited', classes: {}, change: () => ({ from: '', to: 'sung aloud' }) };
  const opened = new OpenedEvents(sealer, knowsMore ? [...slices.upcasters, more] : slices.upcasters);
  const abandonedLease = (other: Edition) => leaseOf(projectorLease(other), ABANDONED_TIMES);
  const editions = new OtherEditions({ documents: all, own: edition, abandonedLease, log, pollMs: 1, graceMs: 1 });
  const lease = await leaseOf(projectorLease(edition), builds ? LEASE_TIMES : STAND_IN_TIMES);
  const requests = new OperatorRequests(vault, lease.name, log, WAIT_MS);
  const role = new ProjectorRole({ store, documents, opened, log, reads, lease, requests, builds, editions });
  running.push({ role, reads });
  await role.start(projectors);
  return { role, reads };
}

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
/** Moves the clock of all leases, slowly enough that their holders renew them. */
const pass = async (milliseconds: number): Promise<void> => {
  time.move(milliseconds);
  await new Promise((resolve) => setTimeout(resolve, 5));
};
const ready = async (started: Promise<Process>): Promise<Process> => {
  const one = await started;
  expect(await one.role.readSide.servedWithin(WAIT_MS)).toBe(true);
  return one;
};
const stop = async (one: Process): Promise<void> => {
  running = running.filter((each) => each !== one);
  await one.role.stop();
};
const editionsStored = async () => new Set((await testStores.documents.collections()).map(editionIn));
const shown = async ({ role, reads }: Process, position: number): Promise<unknown> => {
  expect(await role.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
  const { projectName, shout } = (await reads.get<{ projectName: string; shout?: string }>('projects', PROJECT_ID)) ?? {};
  return shout ?? projectName;
};

let history: ProjectHistory;
let stored: number;
/** Appends what the history has more than the log. */
async function write(more: ProjectHistory): Promise<number> {
  const stream = projectStream(PROJECT_ID);
  const events = more.events.slice(stored).map(({ type, data, meta }): NewEvent => ({ id: randomUUID(), type, data, meta }));
  const sealed = await Promise.all(events.map((event) => testStores.sealer.seal(stream, event)));
  const { position } = await testStores.store.append(stream, stored === 0 ? 'none' : stored - 1, sealed);
  [history, stored] = [more, more.events.length];
  return position;
}
const rename = (to: string): Promise<number> => write(history.and({ type: 'ProjectRenamed', data: { from: '', to } }));

beforeEach(async () => {
  testStores = await openTestStores();
  time = manualClock();
  running = [];
  stored = 0;
  await write(aProject().ownedBy('ana').withVersion('v1').withComment('c1', { by: 'ana' }));
});
afterEach(async () => {
  for (const { role } of running) await role.stop();
  await testStores.close();
});

test('while two versions of the program run, each has read models of its own, and both are current', async () => {
  const old = [await ready(process(OLD)), await ready(process(OLD, { builds: false }))];
  const young: Process[] = [];
  for (const to of ['High tide', 'Ebb', 'Flood', 'Spring', 'Neap']) {
    const position = await rename(to);
    if (to === 'Ebb') young.push(await process(NEW), await process(NEW, { builds: false }));
    expect(await Promise.all(old.map((each) => shown(each, position)))).toEqual([to, to]);
    expect(await Promise.all(young.map((each) => shown(each, position)))).toEqual(young.map(() => to.toUpperCase()));
    expect(old.map(({ role }) => role.readSide.isServed)).toEqual([true, true]);
  }
  expect([old[0], young[0]].map((each) => each?.role.isBuilding())).toEqual([true, true]);
  expect(await editionsStored()).toEqual(new Set([OLD.edition, NEW.edition]));
});

test('read models of a version are dropped once no process has built them for a minute, and built again if it comes back', async () => {
  const old = await ready(process(OLD));
  const young = await ready(process(NEW));
  await until(() => young.role.isBuilding());
  await stop(old);
  for (let seconds = 0; seconds < 59; seconds += 1) await pass(1_000);
  expect(await editionsStored()).toEqual(new Set([OLD.edition, NEW.edition]));
  await until(async () => {
    await pass(1_000);
    return !(await editionsStored()).has(OLD.edition);
  });
  expect(await shown(young, await rename('Ebb'))).toBe('EBB');
  const back = await ready(process(OLD));
  expect(await shown(back, await rename('Flood'))).toBe('Flood');
});

test('those of programs before editions are dropped the same way, and nothing else is', async () => {
  await testStores.documents.declare({ name: 'snapshots', indexes: [] });
  const before = await ready(process({ ...OLD, edition: '' }));
  const old = await ready(process(OLD));
  await until(() => old.role.isBuilding());
  await stop(before);
  await until(async () => {
    await pass(1_000);
    return !(await editionsStored()).has('');
  });
  expect(await editionsStored()).toEqual(new Set([null, OLD.edition]));
  expect(await shown(old, await rename('Ebb'))).toBe('Ebb');
  expect(time.now()).toBeGreaterThan(1_700_000_000_000 + MINUTE_MS - 1);
});

test('a version that is left without a projector process is built by its web process, as long as another version is there', async () => {
  const [old, oldWeb] = [await ready(process(OLD)), await ready(process(OLD, { builds: false }))];
  const [young, youngWeb] = [await ready(process(NEW)), await ready(process(NEW, { builds: false }))];
  await until(() => young.role.isBuilding());
  await stop(old);
  await pass(STAND_IN_TIMES.takeReleased - 1);
  expect(oldWeb.role.isBuilding()).toBe(false);
  await until(async () => {
    await pass(100);
    return oldWeb.role.isBuilding();
  });
  const position = await rename('Ebb');
  expect([await shown(oldWeb, position), await shown(youngWeb, position)]).toEqual(['Ebb', 'EBB']);
  expect(youngWeb.role.isBuilding()).toBe(false);
});

test('a web process of a new version builds too, if that is the first of its processes', async () => {
  const old = await ready(process(OLD));
  const youngWeb = await ready(process(NEW, { builds: false }));
  const position = await rename('Ebb');
  expect([await shown(old, position), await shown(youngWeb, position)]).toEqual(['Ebb', 'EBB']);
  await until(() => youngWeb.role.isBuilding());
});

test('an event that only the newer program knows parks its stream for the old program alone', async () => {
  const old = await ready(process(OLD));
  const young = await ready(process({ ...NEW, knowsMore: true }));
  const stream = projectStream(PROJECT_ID);
  const meta = { actorUid: null, at: 1, commandId: 'k', correlationId: 'k', causationId: null };
  const { position } = await appendNext(testStores.store, stream, [{ id: randomUUID(), type: 'ProjectSungAloud', data: {}, meta }]);
  for (const each of [old, young]) expect(await each.role.readSide.saved.waitFor(position, WAIT_MS)).toBe(true);
  expect([await old.reads.isParked('projects', stream), await young.reads.isParked('projects', stream)]).toEqual([true, false]);
  expect((await young.role.status()).flatMap(({ parkedStreams }) => parkedStreams)).toEqual([]);
});
