import { randomBytes } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { projectDecider } from '../../projects/project.decider.js';
import { slices } from '../../slices.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { withOverride } from '../../testing/temporary-vault.js';
import { ServiceUnavailable } from '../store-errors.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { Snapshots } from '../streams/snapshots.js';
import { StreamFolds } from '../streams/stream-folds.js';
import type { Vault } from '../vault/vault.js';
import { DataKeys } from './data-keys.js';
import { type EpochTimes, KeyEpoch } from './key-epoch.js';
import { FieldSealer } from './field-sealer.js';

const STREAM = projectStream(PROJECT_ID);
const TIMES: EpochTimes = { pollMs: 10, validMs: 150, slackMs: 20 };
/** Caches stay valid without polling, so the tests do not depend on timing. */
const ALWAYS_VALID: EpochTimes = { pollMs: 10, validMs: 3_600_000, slackMs: 0 };
const masterKey = randomBytes(32);

/** The parts of one web process on the shared stores. */
interface Process {
  readonly epoch: KeyEpoch;
  readonly keys: DataKeys;
  readonly sealer: FieldSealer;
  readonly snapshots: Snapshots;
  readonly folds: StreamFolds;
}

let stores: TestStores;
let processes: Process[];
/** Whether the second process cannot reach the vault. */
let isUnavailable: boolean;
let eraser: Process;
let other: Process;

async function aProcess(vault: Vault, times: EpochTimes = TIMES): Promise<Process> {
  const epoch = await KeyEpoch.open(vault, masterKey, times);
  const keys = await DataKeys.open(vault, masterKey, epoch);
  const sealer = new FieldSealer(slices.fieldClasses, keys);
  const snapshots = await Snapshots.open(stores.documents, stores.store.identity, stores.log, { epoch });
  const folds = new StreamFolds(stores.store, new OpenedEvents(sealer, slices.upcasters), snapshots, epoch);
  keys.onDestroyed(() => folds.forgetAll());
  const started = { epoch, keys, sealer, snapshots, folds };
  processes.push(started);
  return started;
}

beforeEach(async () => {
  stores = await openTestStores();
  processes = [];
  isUnavailable = false;
  eraser = await aProcess(stores.vault);
  other = await aProcess(
    withOverride(stores.vault, 'get', (collection, id) =>
      isUnavailable ? Promise.reject(new ServiceUnavailable('cut off')) : stores.vault.get(collection, id),
    ),
  );
  let history = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob');
  while (history.events.length < 600) history = history.withComment(`c${history.events.length}`, { by: 'bob' });
  for (let at = 0; at < 600; at += 200) {
    const sealed = await Promise.all(history.events.slice(at, at + 200).map((event) => eraser.sealer.seal(STREAM, event)));
    await stores.store.append(STREAM, at === 0 ? 'none' : at - 1, sealed);
  }
});
afterEach(async () => {
  for (const { epoch, snapshots } of processes) {
    await snapshots.close();
    await epoch.close();
  }
  await stores.close();
});

const nameSeenBy = async ({ folds }: Process): Promise<string> => (await folds.current(projectDecider, STREAM)).state.projectName;

describe('a key that one process destroys', () => {
  test('is dropped by the others, with everything it opened, when destroyedEverywhere resolves', async () => {
    expect([await nameSeenBy(eraser), await nameSeenBy(other)]).toEqual(['Low tide', 'Low tide']);
    await other.snapshots.settled();
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    expect([await nameSeenBy(eraser), await nameSeenBy(other), await other.keys.forOpening(STREAM)]).toEqual(['', '', null]);
  });

  test('is not used by a process that is cut off from the vault, which ignores its caches', async () => {
    expect(await nameSeenBy(other)).toBe('Low tide');
    isUnavailable = true;
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    expect(other.epoch.isCurrent).toBe(false);
    await expect(nameSeenBy(other)).rejects.toThrow(ServiceUnavailable);
    isUnavailable = false;
    expect(await nameSeenBy(other)).toBe('');
  });

  test('is not used by a process that has stopped polling', async () => {
    const frozen = await aProcess(stores.vault, { ...TIMES, pollMs: 3_600_000 });
    expect(await nameSeenBy(frozen)).toBe('Low tide');
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    expect(await nameSeenBy(frozen)).toBe('');
  });

  test('is not recreated by a process that seals with it', async () => {
    await eraser.keys.destroy(STREAM);
    const late = await other.keys.forSealing(STREAM);
    expect(late).toHaveLength(32);
    expect([await eraser.keys.forOpening(STREAM), await other.keys.forOpening(STREAM)]).toEqual([null, null]);
  });

  test('leaves snapshots unreadable that a slow process stores afterwards', async () => {
    const slow = await aProcess(stores.vault, { ...ALWAYS_VALID, pollMs: 3_600_000 });
    const fold = await slow.folds.current(projectDecider, STREAM);
    await slow.snapshots.settled();
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    slow.snapshots.offer(projectDecider, fold);
    await slow.snapshots.settled();
    const next = await aProcess(stores.vault);
    expect(await nameSeenBy(next)).toBe('');
  });
});

describe('snapshots of several processes', () => {
  beforeEach(async () => {
    [eraser, other] = [await aProcess(stores.vault, ALWAYS_VALID), await aProcess(stores.vault, ALWAYS_VALID)];
  });

  test('are read by all of them, and are stored encrypted', async () => {
    await nameSeenBy(eraser);
    await eraser.snapshots.settled();
    expect((await other.folds.current(projectDecider, STREAM)).keptRevision).toBe(599);
    const [head] = [...(await stores.documents.getMany('snapshots', [`project/${STREAM}`])).values()];
    const piece = await stores.documents.get('snapshots', `project/${STREAM}/${String(head?.place)}/0`);
    expect(String(piece?.text)).toMatch(/^[\w-]+$/);
  });

  test('stored at the same time leave one intact snapshot', async () => {
    const folds = await Promise.all([eraser, other].map((each) => each.folds.current(projectDecider, STREAM)));
    await Promise.all([eraser.snapshots.settled(), other.snapshots.settled()]);
    const third = await aProcess(stores.vault, ALWAYS_VALID);
    const fold = await third.folds.current(projectDecider, STREAM);
    expect(fold.keptRevision).toBe(599);
    expect(fold.state).toStrictEqual(folds[0]?.state);
    expect(stores.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('are consistent even if a command advances the fold while it is stored', async () => {
    const { folds, sealer, epoch } = eraser;
    const fold = await folds.current(projectDecider, STREAM);
    await eraser.snapshots.dropAll();
    const [last] = aProject().ownedBy('ana').withComment('late', { by: 'bob' }).events.slice(-1);
    const advance = async () => {
      await stores.store.append(STREAM, 599, [await sealer.seal(STREAM, last as NewEvent)]);
      await folds.current(projectDecider, STREAM);
    };
    const documents = withOverride(stores.documents, 'get', async (collection, id) => {
      if (fold.revision === 599) await advance();
      return stores.documents.get(collection, id);
    });
    const slow = await Snapshots.open(documents, stores.store.identity, stores.log, { epoch });
    slow.offer(projectDecider, fold);
    await slow.settled();
    expect(await slow.load(projectDecider, STREAM)).toStrictEqual({ ...fold, revision: 600, keptRevision: 600 });
    await slow.close();
  });
});

test('two processes that create a key at once get the same one', async () => {
  const created = await Promise.all([eraser, other, eraser, other].map(({ keys }) => keys.forSealing('user-zoe')));
  expect(new Set(created.map((key) => key.toString('hex'))).size).toBe(1);
});

test('a key created by another process during a lookup is used by concurrent readers', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isFirst = true;
  const vault = withOverride(stores.vault, 'get', async (collection, id) => {
    const found = await stores.vault.get(collection, id);
    if (collection === 'data-keys' && isFirst) {
      isFirst = false;
      await held;
    }
    return found;
  });
  const slow = await DataKeys.open(vault, masterKey, eraser.epoch);
  const sealing = slow.forSealing('user-zoe');
  const key = await eraser.keys.forSealing('user-zoe');
  const opening = slow.forOpening('user-zoe');
  release();
  expect([await opening, await sealing]).toEqual([key, key]);
});
