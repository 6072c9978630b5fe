import { randomBytes } from 'node:crypto';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '../../kernel/event.js';
import { projectDecider } from '../../projects/project.decider.js';
import { slices } from '../../slices.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject, PROJECT_ID } from '../../testing/project-history.js';
import { withOverride } from '../../testing/temporary-vault.js';
import { StoreAway } from '../store-errors.js';
import { OpenedEvents } from '../streams/opened-events.js';
import { Snapshots } from '../streams/snapshots.js';
import { StreamFolds } from '../streams/stream-folds.js';
import type { Vault } from '../vault/vault.js';
import { DataKeys } from './data-keys.js';
import { type EpochTimes, KeyEpoch } from './key-epoch.js';
import { FieldSealer } from './field-sealer.js';

const STREAM = projectStream(PROJECT_ID);
const TIMES: EpochTimes = { pollMs: 10, validMs: 150, slackMs: 20 };
/** Certain all the time, whatever keeps a process from looking: nothing is kept of what one that is not has opened. */
const ALWAYS_VALID: EpochTimes = { pollMs: 10, validMs: 3_600_000, slackMs: 0 };
const masterKey = randomBytes(32);

/** What one web process has of its own on the shared stores. */
interface Process {
  readonly epoch: KeyEpoch;
  readonly keys: DataKeys;
  readonly sealer: FieldSealer;
  readonly snapshots: Snapshots;
  readonly folds: StreamFolds;
}

let ground: TestStores;
let processes: Process[];
/** Whether the vault answers the second process. */
let isAway: boolean;
let eraser: Process;
let other: Process;

async function aProcess(vault: Vault, times: EpochTimes = TIMES): Promise<Process> {
  const epoch = await KeyEpoch.open(vault, masterKey, times);
  const keys = await DataKeys.open(vault, masterKey, epoch);
  const sealer = new FieldSealer(slices.fieldClasses, keys);
  const snapshots = await Snapshots.open(ground.documents, ground.store.identity, ground.log, epoch);
  const folds = new StreamFolds(ground.store, new OpenedEvents(sealer, slices.upcasters), snapshots, epoch);
  keys.onDestroyed(() => folds.forgetAll());
  const made = { epoch, keys, sealer, snapshots, folds };
  processes.push(made);
  return made;
}

beforeEach(async () => {
  ground = await openTestStores();
  processes = [];
  isAway = false;
  eraser = await aProcess(ground.vault);
  other = await aProcess(
    withOverride(ground.vault, 'get', (collection, id) => (isAway ? Promise.reject(new StoreAway('cut off')) : ground.vault.get(collection, id))),
  );
  let history = aProject().ownedBy('ana').withVersion('v1').sharedWith('bob');
  while (history.events.length < 600) history = history.withComment(`c${history.events.length}`, { by: 'bob' });
  for (let at = 0; at < 600; at += 200) {
    const sealed = await Promise.all(history.events.slice(at, at + 200).map((event) => eraser.sealer.seal(STREAM, event)));
    await ground.store.append(STREAM, at === 0 ? 'none' : at - 1, sealed);
  }
});
afterEach(async () => {
  for (const { epoch, snapshots } of processes) {
    await snapshots.close();
    await epoch.close();
  }
  await ground.close();
});

const nameSeenBy = async ({ folds }: Process): Promise<string> => (await folds.current(projectDecider, STREAM)).state.projectName;

describe('a key that one process destroys', () => {
  test('is forgotten by the others, with everything it opened, when that is said to be so', async () => {
    expect([await nameSeenBy(eraser), await nameSeenBy(other)]).toEqual(['Low tide', 'Low tide']);
    await other.snapshots.settled();
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    expect([await nameSeenBy(eraser), await nameSeenBy(other), await other.keys.forOpening(STREAM)]).toEqual(['', '', null]);
  });

  test('is forgotten by one that is cut off from the vault: it does without what it remembers', async () => {
    expect(await nameSeenBy(other)).toBe('Low tide');
    isAway = true;
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    expect(other.epoch.isCurrent).toBe(false);
    await expect(nameSeenBy(other)).rejects.toThrow(StoreAway);
    isAway = false;
    expect(await nameSeenBy(other)).toBe('');
  });

  test('is forgotten by one that does not look for it at all', async () => {
    const frozen = await aProcess(ground.vault, { ...TIMES, pollMs: 3_600_000 });
    expect(await nameSeenBy(frozen)).toBe('Low tide');
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    expect(await nameSeenBy(frozen)).toBe('');
  });

  test('is not made anew by one that was sealing with it', async () => {
    await eraser.keys.destroy(STREAM);
    const late = await other.keys.forSealing(STREAM);
    expect(late).toHaveLength(32);
    expect([await eraser.keys.forOpening(STREAM), await other.keys.forOpening(STREAM)]).toEqual([null, null]);
  });

  test('takes with it what a slow process keeps of it afterwards', async () => {
    const slow = await aProcess(ground.vault, { ...ALWAYS_VALID, pollMs: 3_600_000 });
    const fold = await slow.folds.current(projectDecider, STREAM);
    await slow.snapshots.settled();
    await eraser.keys.destroy(STREAM);
    await eraser.keys.destroyedEverywhere();
    slow.snapshots.offer(projectDecider, fold);
    await slow.snapshots.settled();
    const next = await aProcess(ground.vault);
    expect(await nameSeenBy(next)).toBe('');
  });
});

describe('snapshots that several processes keep', () => {
  beforeEach(async () => {
    [eraser, other] = [await aProcess(ground.vault, ALWAYS_VALID), await aProcess(ground.vault, ALWAYS_VALID)];
  });

  test('are read by all of them, and hold no text that the files show', async () => {
    await nameSeenBy(eraser);
    await eraser.snapshots.settled();
    expect((await other.folds.current(projectDecider, STREAM)).keptRevision).toBe(599);
    const [head] = [...(await ground.documents.getMany('snapshots', [`project_v${projectDecider.version}/${STREAM}`])).values()];
    const piece = await ground.documents.get('snapshots', `project_v${projectDecider.version}/${STREAM}/${String(head?.place)}/0`);
    expect(String(piece?.text)).toMatch(/^[\w-]+$/);
  });

  test('at the same time are one, whole, and none damages another', async () => {
    const folds = await Promise.all([eraser, other].map((each) => each.folds.current(projectDecider, STREAM)));
    await Promise.all([eraser.snapshots.settled(), other.snapshots.settled()]);
    const third = await aProcess(ground.vault, ALWAYS_VALID);
    const fold = await third.folds.current(projectDecider, STREAM);
    expect(fold.keptRevision).toBe(599);
    expect(fold.state).toStrictEqual(folds[0]?.state);
    expect(ground.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('are of one moment, also when a command goes on with the fold while it is kept', async () => {
    const { folds, sealer, epoch } = eraser;
    const fold = await folds.current(projectDecider, STREAM);
    await eraser.snapshots.dropAll();
    const [last] = aProject().ownedBy('ana').withComment('late', { by: 'bob' }).events.slice(-1);
    const goOn = async () => {
      await ground.store.append(STREAM, 599, [await sealer.seal(STREAM, last as NewEvent)]);
      await folds.current(projectDecider, STREAM);
    };
    const documents = withOverride(ground.documents, 'get', async (collection, id) => {
      if (fold.revision === 599) await goOn();
      return ground.documents.get(collection, id);
    });
    const slow = await Snapshots.open(documents, ground.store.identity, ground.log, epoch);
    slow.offer(projectDecider, fold);
    await slow.settled();
    expect(await slow.load(projectDecider, STREAM)).toStrictEqual({ ...fold, revision: 600, keptRevision: 600 });
    await slow.close();
  });
});

test('a key that two processes make at once is one', async () => {
  const made = await Promise.all([eraser, other, eraser, other].map(({ keys }) => keys.forSealing('user-zoe')));
  expect(new Set(made.map((key) => key.toString('hex'))).size).toBe(1);
});

test('a key that is made while somebody else looks for it is found by whoever reads what it sealed', async () => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  let isFirst = true;
  const vault = withOverride(ground.vault, 'get', async (collection, id) => {
    const found = await ground.vault.get(collection, id);
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
  answer();
  expect([await opening, await sealing]).toEqual([key, key]);
});
