import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { NewEvent } from '../../kernel/event.js';
import type { Projector } from '../../kernel/projector.js';
import { Refused } from '../../kernel/refusal.js';
import { slices } from '../../slices.js';
import { appendNext } from '../../testing/append-next.js';
import { aProject, PROJECT_ID, type ProjectHistory } from '../../testing/project-history.js';
import { manualClock } from '../../testing/manual-clock.js';
import { withOverride } from '../../testing/temporary-vault.js';
import { openTestStores, type TestStores } from '../../testing/test-stores.js';
import { OperatorRequests } from '../leases/operator-requests.js';
import { ABANDONED_TIMES, LEASE_TIMES, type LeaseRecord, type LeaseTimes, STAND_IN_TIMES, VaultLease } from '../leases/vault-lease.js';
import { ServiceUnavailable } from '../store-errors.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { type Edition, editionDocuments, editionIn, editionOf, projectorLease } from './editions.js';
import { OtherEditions } from './other-editions.js';
import { ProjectorRole } from './projector-role.js';
import { ReadModels } from './read-models.js';

const WAIT_MS = 20_000;
const MINUTE_MS = 60_000;
/** As {@link ABANDONED_TIMES}, but less patient, because each step of the clock takes a while. */
const SOON_ABANDONED: LeaseTimes = { ...ABANDONED_TIMES, takeOver: 10_000, takeFree: 10_000 };

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
  /** Its writes to the vault fail, so it cannot renew its lease, as one that is frozen. */
  isCutOff: boolean;
}

let testStores: TestStores;
let time: ReturnType<typeof manualClock>;
let running: Process[];
let abandonedTimes: LeaseTimes;
/** The term of the process that is cut off. */
let lostTaking: string | undefined;

async function process({ edition, projectors, knowsMore = false }: Version, { builds = true } = {}): Promise<Process> {
  const { vault: shared, store, documents: all, log, sealer } = testStores;
  const vault = withOverride(shared, 'replace', (...args) => (self.isCutOff ? Promise.reject(new ServiceUnavailable('away')) : shared.replace(...args)));
  const fast = (times: LeaseTimes): LeaseTimes => ({ ...times, renew: 1, poll: 1 });
  const leaseOf = (name: string, times: LeaseTimes) => VaultLease.open(name, { vault, log, clock: time.now, now: time.now, times: fast(times) });
  const documents = editionDocuments(all, edition);
  const reads = new ReadModels(documents);
  const more = { from: 'ProjectSungAloud', to: 'ProjectDescriptionEdited', classes: {}, change: () => ({ from: '', to: 'sung aloud' }) };
  const opened = new OpenedEvents(sealer, knowsMore ? [...slices.upcasters, more] : slices.upcasters);
  const abandonedLease = (other: Edition) => leaseOf(projectorLease(other), abandonedTimes);
  const editions = new OtherEditions({ documents: all, own: edition, abandonedLease, log, pollMs: 1, graceMs: 1 });
  const lease = await leaseOf(projectorLease(edition), builds ? LEASE_TIMES : STAND_IN_TIMES);
  const requests = new OperatorRequests(vault, lease.name, log, WAIT_MS);
  const role = new ProjectorRole({ store, documents, opened, log, reads, lease, requests, builds, editions });
  const self: Process = { role, reads, isCutOff: false };
  running.push(self);
  await role.start(projectors);
  return self;
}

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};
const termOf = async (edition: Edition) => (await testStores.vault.get<LeaseRecord>('leases', projectorLease(edition)))?.body;
/** A holder that renews only after this time still holds its lease. */
const STEP_MS = 4_000;
/** Moves the clock of all leases by at most a step, and waits until their holders have renewed them. */
const pass = async (milliseconds = STEP_MS): Promise<void> => {
  time.move(milliseconds);
  for (const edition of ['', OLD.edition, NEW.edition]) {
    const before = await termOf(edition);
    if (before === undefined || before.taking === lostTaking) continue;
    const isRenewed = async () => {
      const { taking, released, beat } = (await termOf(edition)) ?? before;
      // The first renewal may have been sent before the move, and the last may not be known to the holder yet.
      return released || taking !== before.taking || beat > before.beat + 2;
    };
    await until(isRenewed);
  }
};
const passSteps = async (steps: number): Promise<void> => {
  for (let passed = 0; passed < steps; passed += 1) await pass();
};
const passUntil = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  until(async () => {
    await pass();
    return condition();
  });
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
  abandonedTimes = SOON_ABANDONED;
  lostTaking = undefined;
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
  abandonedTimes = ABANDONED_TIMES;
  const old = await ready(process(OLD));
  const young = await ready(process(NEW));
  await until(() => young.role.isBuilding());
  await stop(old);
  expect(await young.role.others()).toEqual([{ edition: OLD.edition, heldBy: null }]);
  await passSteps(MINUTE_MS / STEP_MS - 1);
  expect(await editionsStored()).toEqual(new Set([OLD.edition, NEW.edition]));
  const isGone = async () => !(await editionsStored()).has(OLD.edition);
  await passUntil(isGone);
  expect([await shown(young, await rename('Ebb')), await young.role.others()]).toEqual(['EBB', []]);
  // As a save does that was in progress.
  await testStores.documents.declare({ name: `${OLD.edition}_projects_v1_g1`, indexes: [] });
  await passUntil(isGone);
  const back = await ready(process(OLD));
  expect(await shown(back, await rename('Flood'))).toBe('Flood');
});

test('those of programs before editions are dropped the same way, and nothing else is', async () => {
  await testStores.documents.declare({ name: 'snapshots', indexes: [] });
  const before = await ready(process({ ...OLD, edition: '' }));
  const old = await ready(process(OLD));
  await until(() => old.role.isBuilding());
  await stop(before);
  await passUntil(async () => !(await editionsStored()).has(''));
  expect(await editionsStored()).toEqual(new Set([null, OLD.edition]));
  expect(await shown(old, await rename('Ebb'))).toBe('Ebb');
});

test('a version that is left without a projector process is built by its web process, as long as another version is there', async () => {
  const [old, oldWeb] = [await ready(process(OLD)), await ready(process(OLD, { builds: false }))];
  const [young, youngWeb] = [await ready(process(NEW)), await ready(process(NEW, { builds: false }))];
  await until(() => young.role.isBuilding());
  await stop(old);
  await pass(STAND_IN_TIMES.takeFree - 1);
  expect(oldWeb.role.isBuilding()).toBe(false);
  await passUntil(() => oldWeb.role.isBuilding());
  const position = await rename('Ebb');
  expect([await shown(oldWeb, position), await shown(youngWeb, position)]).toEqual(['Ebb', 'EBB']);
  expect(youngWeb.role.isBuilding()).toBe(false);
  expect(await youngWeb.role.others()).toMatchObject([{ edition: OLD.edition, heldBy: { fence: 2 } }]);
});

test('a web process that stands in drops no other version; a projector process does, and then builds again', async () => {
  const [old, oldWeb] = [await ready(process(OLD)), await ready(process(OLD, { builds: false }))];
  const young = await ready(process(NEW));
  await stop(old);
  await passUntil(() => oldWeb.role.isBuilding());
  await stop(young);
  await passSteps(SOON_ABANDONED.takeFree / STEP_MS + 2);
  expect([await editionsStored(), oldWeb.role.isBuilding()]).toEqual([new Set([OLD.edition, NEW.edition]), true]);
  const back = await ready(process(OLD));
  await passUntil(() => back.role.isBuilding());
  expect([await editionsStored(), oldWeb.role.isBuilding()]).toEqual([new Set([OLD.edition]), false]);
  const position = await rename('Ebb');
  expect([await shown(back, position), await shown(oldWeb, position)]).toEqual(['Ebb', 'Ebb']);
});

test('a process that wakes up after its version was dropped builds again and shows nothing old', async () => {
  const old = await ready(process(OLD));
  const young = await ready(process(NEW));
  await until(() => old.role.isBuilding() && young.role.isBuilding());
  old.isCutOff = true;
  lostTaking = (await termOf(OLD.edition))?.taking;
  await passUntil(async () => !(await editionsStored()).has(OLD.edition));
  const position = await rename('Ebb');
  expect([await shown(young, position), old.role.isBuilding()]).toEqual(['EBB', false]);
  await expect(old.reads.get('projects', PROJECT_ID)).rejects.toThrow(new Refused('store.away'));
  old.isCutOff = false;
  await passUntil(() => old.role.isBuilding());
  expect(await shown(old, position)).toBe('Ebb');
});

test('a web process of a new version builds too, if that is the first of its processes', async () => {
  const old = await ready(process(OLD));
  const youngWeb = await process(NEW, { builds: false });
  await passUntil(() => youngWeb.role.readSide.isServed);
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
