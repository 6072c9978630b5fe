import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Decider, SYSTEM } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { FoldCache } from './fold-cache.js';
import { type FoldedStream, unread } from './folded-stream.js';
import { StreamFolds } from './stream-folds.js';
import { Streams } from './streams.js';

type Left = DomainEvent<'ProjectLeft', { readonly uid: string }>;
interface Leave {
  readonly type: 'Leave';
  readonly data: Left['data'];
}

const deciding = <State>(name: string, initial: () => State, evolve: (state: State, uid: string) => State): Decider<State, Leave, Left> => ({
  name,
  initial,
  evolve: (state, { data }) => evolve(state, data.uid),
  decide: ({ data }) => [{ type: 'ProjectLeft', data }],
  sees: () => null,
});
const counting = deciding(
  'count',
  () => ({ left: 0 }),
  ({ left }) => ({ left: left + 1 }),
);
const naming = deciding<readonly string[]>(
  'names',
  () => [],
  (uids, uid) => [...uids, uid],
);

describe('deciders on one stream', () => {
  let testStores: TestStores;
  let streams: Streams;
  let made = 0;
  beforeEach(async () => {
    testStores = await openTestStores();
    streams = new Streams(testStores.store, new StreamFolds(testStores.store, testStores.opened), testStores.sealer);
  });
  afterEach(() => testStores.close());

  const leave = <State>(decider: Decider<State, Leave, Left>, uid: string) =>
    streams.execute(
      decider,
      'project-p1',
      { type: 'Leave', data: { uid } },
      { actor: SYSTEM, at: 0, commandId: `c${(made += 1)}`, correlationId: 'c', causationId: null },
    );

  test('each fold the whole stream to a state of their own', async () => {
    await leave(counting, 'ana');
    await leave(naming, 'bob');
    await leave(counting, 'cleo');
    expect(await streams.state(counting, 'project-p1')).toEqual({ left: 3 });
    expect(await streams.state(naming, 'project-p1')).toEqual(['ana', 'bob', 'cleo']);
  });

  test('fold it again after a fold that failed halfway, in whatever state that left them', async () => {
    let fails = 1;
    const inPlace = deciding<{ readonly uids: string[] }>(
      'in place',
      () => ({ uids: [] }),
      (state, uid) => {
        state.uids.push(uid);
        if (uid === 'cleo' && (fails -= 1) >= 0) throw new Error('cannot fold');
        return state;
      },
    );
    await leave(inPlace, 'ana');
    for (const uid of ['bob', 'cleo']) await leave(counting, uid);
    await expect(streams.state(inPlace, 'project-p1')).rejects.toThrow('cannot fold');
    expect(await streams.state(inPlace, 'project-p1')).toEqual({ uids: ['ana', 'bob', 'cleo'] });
    expect(await streams.state(counting, 'project-p1')).toEqual({ left: 3 });
  });
});

describe('the cache', () => {
  const fold = (stream: string, revision: number): FoldedStream<unknown> => ({ ...unread(stream, {}), revision });

  test('drops every fold of a stream that is forgotten, and no other', () => {
    const cache = new FoldCache();
    cache.keep(counting, fold('project-p1', 1));
    cache.keep(naming, fold('project-p1', 1));
    cache.keep(counting, fold('project-p10', 1));
    cache.forget('project-p1');
    expect(cache.folds().map((entry) => entry.fold.stream)).toEqual(['project-p10']);
  });

  test('evicts the least recently used folds when they hold more than half a million events', () => {
    const cache = new FoldCache();
    for (const stream of ['a', 'b']) cache.keep(counting, fold(stream, 200_000));
    const a = cache.get(counting, 'a') ?? fold('a', 0);
    cache.keep(counting, a);
    cache.keep(naming, fold('a', 200_000));
    expect(cache.folds().map(({ decider, fold: { stream } }) => `${decider.name} ${stream}`)).toEqual(['names a', 'count a']);
    expect([cache.holds(counting, a), cache.holds(naming, a), cache.get(counting, 'b')]).toEqual([true, false, null]);
  });
});
