import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import type { Reactor } from '../../kernel/reactor.js';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { withOverride } from '../../testing/temporary-vault.js';
import type { EventStore } from '../event-store/event-store.js';
import { DiskFull, ServiceUnavailable } from '../store-errors.js';
import { ParkedReactions } from './parked-reactions.js';
import { ReactorRunner } from './reactor-runner.js';
import { appendNext } from '../../testing/append-next.js';

let testStores: TestStores;
let runner: ReactorRunner;
let seen: string[];
/** Waits for the next reaction. */
let awake: () => void;

const meta = { actorUid: 'ana', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
const renameIn = async (stream: string, ...names: readonly string[]): Promise<number> => {
  const events = names.map((to) => ({ id: randomUUID(), type: 'ProjectRenamed', data: { from: '', to }, meta }));
  const sealed = await Promise.all(events.map((event) => testStores.sealer.seal(stream, event)));
  return (await appendNext(testStores.store, stream, sealed)).position;
};
const rename = (...names: readonly string[]): Promise<number> => renameIn('project-p1', ...names);
const nameIn = (event: StoredEvent): string => (event.data as { to: string }).to;
const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (;;) {
    const next = new Promise<void>((resolve) => {
      awake = resolve;
    });
    if (await condition()) return;
    await next;
  }
};
const reactor = (react: Reactor['react'] = () => Promise.resolve(), startsAt: Reactor['startsAt'] = 'end'): Reactor => ({
  name: 'note-renamings',
  startsAt,
  handles: new Set(['ProjectRenamed']),
  async react(event, signal) {
    seen.push(nameIn(event));
    awake();
    await react(event, signal);
  },
});
const start = async (each: Reactor): Promise<void> => {
  runner = new ReactorRunner({ ...testStores, pauseMs: 10 });
  await runner.start([each]);
};
const checkpoint = async () => (await testStores.vault.get<{ position: number }>('reactor-checkpoints', 'note-renamings'))?.body.position;

beforeEach(async () => {
  testStores = await openTestStores();
  seen = [];
  awake = () => undefined;
});
afterEach(async () => {
  await runner.stop();
  await testStores.close();
});

test('a new reactor starts at the end of the log, and later at its checkpoint', async () => {
  await rename('before');
  await start(reactor());
  await rename('one');
  await until(() => seen.length === 1);
  await runner.stop();
  await rename('while away');
  await start(reactor());
  await until(() => seen.includes('while away'));
  expect(seen.filter((word) => word !== 'one')).toEqual(['while away']);
});

test('a reactor that starts at the beginning gets every event, in order and opened', async () => {
  await rename('one', 'two', 'three');
  await start(reactor(undefined, 'beginning'));
  await until(() => seen.length === 3);
  expect(seen).toEqual(['one', 'two', 'three']);
});

test('a reactor gets only the events that it handles, and reports its lag', async () => {
  const invited = { id: randomUUID(), type: 'ProjectLeft', data: { uid: 'bob' }, meta };
  await start(reactor());
  await appendNext(testStores.store, 'project-p1', [invited]);
  await rename('one');
  await until(() => seen.length === 1);
  await until(async () => (await runner.lags()).get('note-renamings') === 0 || (await tick()));
  expect(seen).toEqual(['one']);
});

test('a reactor that is stopped in the middle of a reaction gets that event again: at least once', async () => {
  await start(reactor((_event, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))));
  await rename('one', 'two');
  await until(() => seen.length === 1);
  await runner.stop();
  expect(await checkpoint()).toBe(0);
  await start(reactor());
  await until(() => seen.length === 3);
  expect(seen).toEqual(['one', 'one', 'two']);
});

test('a reactor that is stopped in the middle of a reaction that still succeeds does not get that event again', async () => {
  await start(reactor((_event, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))));
  const position = await rename('one', 'two');
  await until(() => seen.length === 1);
  await runner.stop();
  expect(await checkpoint()).toBe(position - 1);
  await start(reactor());
  await until(() => seen.length === 2);
  expect(seen).toEqual(['one', 'two']);
});

describe('a reaction that takes long', () => {
  const progress = async () => (await testStores.vault.get('reactor-checkpoints', 'note-renamings'))?.body;
  const untilAborted: Reactor['react'] = (event, signal) =>
    nameIn(event) === 'long' ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))) : Promise.resolve();

  test('delays the later events of its own stream, and no other stream', async () => {
    let release = (): void => undefined;
    const long = new Promise<void>((resolve) => (release = resolve));
    await start(reactor((event) => (nameIn(event) === 'long' ? long : Promise.resolve())));
    const first = (await rename('long', 'after it')) - 1;
    const [second, third] = [await renameIn('project-p2', 'short'), await renameIn('project-p3', 'shorter')];
    await until(async () => ((await progress())?.['finished'] as readonly number[] | undefined)?.length === 2 || (await tick()));
    expect([seen, await progress()]).toEqual([['long', 'short', 'shorter'], { position: first - 1, by: expect.any(String), finished: [second, third] }]);
    expect((await runner.status())[0]).toMatchObject({ checkpoint: first - 1, lag: third - first + 1 });
    release();
    await until(async () => (await checkpoint()) === third || (await tick()));
    expect([seen.at(-1), await progress()]).toEqual(['after it', { position: third, by: expect.any(String) }]);
  });

  test('is the only one that is repeated after a restart', async () => {
    await start(reactor(untilAborted));
    const first = await rename('long');
    await renameIn('project-p2', 'short', 'shorter');
    await until(async () => ((await progress())?.['finished'] as readonly number[] | undefined)?.length === 2 || (await tick()));
    await runner.stop();
    expect([await checkpoint(), seen]).toEqual([first - 1, ['long', 'short', 'shorter']]);
    await start(reactor());
    await renameIn('project-p2', 'shortest');
    await until(async () => (await runner.lags()).get('note-renamings') === 0 || (await tick()));
    expect(seen.slice(3).toSorted()).toEqual(['long', 'shortest']);
  });
});

test('a stream whose reaction keeps failing is retried with backoff, while other streams continue', async () => {
  let failures = 0;
  const isDown: Reactor['react'] = (event) =>
    nameIn(event) === 'one' && (failures += 1) < 4 ? Promise.reject(new ServiceUnavailable('away')) : Promise.resolve();
  await start(reactor(isDown));
  await rename('one', 'two');
  for (let n = 0; n < 20; n += 1) await renameIn(`project-other-${n}`, `other ${n}`);
  await until(async () => (await runner.lags()).get('note-renamings') === 0 || (await tick()));
  expect(seen.filter((word) => !word.startsWith('other'))).toEqual(['one', 'one', 'one', 'one', 'two']);
  expect(seen).toHaveLength(25);
  expect(testStores.logged.map(({ message, facts }) => [message, facts['attempts']])).toEqual([
    ['a store is unavailable or busy: retrying with backoff', undefined],
    ['the store is available again: continuing', 3],
  ]);
});

test('progress that cannot be stored is stored later, and nothing is repeated meanwhile', async () => {
  let failures = 0;
  const { vault } = testStores;
  const flaky = withOverride(vault, 'replace', (collection, id, ...rest) => {
    const isRefused = collection === 'reactor-checkpoints' && seen.length > 0 && (failures += 1) < 4;
    return isRefused ? Promise.reject(new ServiceUnavailable('away')) : vault.replace(collection, id, ...rest);
  });
  runner = new ReactorRunner({ ...testStores, vault: flaky, pauseMs: 1 });
  await runner.start([reactor()]);
  const position = await rename('one', 'two', 'three');
  await until(async () => (await checkpoint()) === position || (await tick()));
  expect(seen).toEqual(['one', 'two', 'three']);
});

test('a failed reaction is retried before the next one', async () => {
  let failures = 0;
  await start(reactor((event) => (nameIn(event) === 'one' && (failures += 1) < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve())));
  await rename('one', 'two');
  await until(() => seen.includes('two'));
  expect(seen).toEqual(['one', 'one', 'one', 'two']);
  expect(testStores.logged.map(({ message, facts }) => [message, facts['tried']])).toEqual([
    ['reaction failed, trying again', 1],
    ['reaction failed, trying again', 2],
  ]);
});

test('a reaction that fails five times is parked, and the rest continues', async () => {
  await start(reactor((event) => (nameIn(event) === 'one' ? Promise.reject(new Error('never')) : Promise.resolve())));
  const position = await rename('one', 'two');
  await until(() => seen.includes('two'));
  expect(seen).toEqual(['one', 'one', 'one', 'one', 'one', 'two']);
  const parked = await testStores.vault.find('parked-reactions', {});
  const reaction = { position: position - 1, stream: 'project-p1', type: 'ProjectRenamed', reason: 'reaction' };
  expect(parked.map(({ body }) => body)).toEqual([{ reactor: 'note-renamings', ...reaction }]);
  await until(async () => (await runner.lags()).get('note-renamings') === 0 || (await tick()));
  expect(await runner.status()).toEqual([{ reactor: 'note-renamings', checkpoint: position, lag: 0, parked: [reaction] }]);
  expect(testStores.logged.at(-1)).toMatchObject({ level: 'error', message: 'reaction parked' });
});

test.each([
  ['a store that is unavailable', new ServiceUnavailable('frozen')] as const,
  ['a store that is full', new DiskFull('no room')] as const,
  ['read models that no process builds', new Refused('store.away')] as const,
  ['a stream that others write without a pause', new Refused('store.busy')] as const,
])('a reaction that meets %s is not parked, however long that lasts', async (_what, error) => {
  let failures = 0;
  await start(reactor(() => ((failures += 1) > 6 ? Promise.resolve() : Promise.reject(error))));
  await rename('one', 'two');
  await until(() => seen.includes('two'));
  expect(seen).toEqual([...Array.from({ length: 7 }, () => 'one'), 'two']);
  expect(await testStores.vault.find('parked-reactions', {})).toEqual([]);
  await until(async () => (await runner.lags()).get('note-renamings') === 0 || (await tick()));
  expect(testStores.logged.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'a store is unavailable or busy: retrying with backoff'],
    ['info', 'the store is available again: continuing'],
  ]);
});

describe('parked reactions', () => {
  const forge = async (): Promise<number> => {
    const event = { id: randomUUID(), type: 'ProjectRenamed', data: { from: '', to: 'forged' }, meta };
    const { data } = await testStores.sealer.seal('project-p1', event);
    return (await appendNext(testStores.store, 'project-p1', [{ ...event, id: randomUUID(), data }])).position;
  };
  const parkedAt = async () => (await runner.status())[0]?.parked.map(({ position, reason }) => [position, reason]);

  test('an unreadable event is parked at once, and the rest continues', async () => {
    await start(reactor());
    const position = await forge();
    await rename('after');
    await until(() => seen.includes('after'));
    expect(seen).toEqual(['after']);
    expect(await parkedAt()).toEqual([[position, 'sealed']]);
    expect(await runner.replay('note-renamings')).toEqual({ done: [], failed: [position] });
    expect(await parkedAt()).toEqual([[position, 'sealed']]);
  });

  test('are replayed in order, or only the one at a given position, and are then no longer parked', async () => {
    const first = (await rename('one', 'two', 'three')) - 2;
    await start(reactor());
    const parked = await ParkedReactions.open(testStores.vault);
    for (const position of [first + 2, first, first + 1]) {
      await parked.park('note-renamings', { position, stream: 'project-p1', type: 'ProjectRenamed', reason: 'reaction' });
    }
    expect(await runner.replay('note-renamings', first + 1)).toEqual({ done: [first + 1], failed: [] });
    expect(await runner.replay('note-renamings')).toEqual({ done: [first, first + 2], failed: [] });
    expect(seen).toEqual(['two', 'one', 'three']);
    expect(await parkedAt()).toEqual([]);
    expect(await runner.replay('nobody')).toBeNull();
  });
});

test('a server that lags behind its leader sets no checkpoint back', async () => {
  const position = await rename('one', 'two', 'three');
  await start(reactor(undefined, 'beginning'));
  await until(() => seen.length === 3);
  await runner.stop();
  const lagging = withOverride<EventStore, 'head'>(testStores.store, 'head', () => Promise.resolve(1));
  const leaderless = withOverride(lagging, 'confirmedHead', () => Promise.reject(new ServiceUnavailable('no leader')));
  runner = new ReactorRunner({ ...testStores, store: leaderless });
  await expect(runner.start([reactor()])).rejects.toThrow('no leader');
  expect(await checkpoint()).toBe(position);
  runner = new ReactorRunner({ ...testStores, store: lagging });
  await runner.start([reactor()]);
  expect([await checkpoint(), testStores.logged]).toEqual([position, []]);
});

test('a reactor ahead of the log continues from its end, with a log line', async () => {
  const position = await rename('one');
  await testStores.vault.declare({ name: 'reactor-checkpoints' });
  await testStores.vault.put('reactor-checkpoints', 'note-renamings', { position: 900 });
  await start(reactor());
  await rename('two');
  await until(() => seen.length === 1);
  expect(seen).toEqual(['two']);
  expect(testStores.logged).toMatchObject([{ level: 'error', message: 'a reactor is ahead of the log: continuing from its end', facts: { head: position } }]);
});

/** Gives the runner a turn of the event loop. */
async function tick(): Promise<false> {
  await new Promise((resolve) => setImmediate(resolve));
  awake();
  return false;
}
