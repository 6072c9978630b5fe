import { describe, expect, test } from '@jest/globals';
import { addTombstones, mergeSnapshot, NO_TOMBSTONES, removeIds, tombstonesAfter, upsertNewer, withoutRemoved } from './merge-lists';

const verse = { _id: 'verse', position: 4, tag: 'mix' };
const chorus = { _id: 'chorus', position: 7, tag: 'style' };

test('a new item goes to the end', () => {
  expect(upsertNewer([verse], chorus)).toEqual([verse, chorus]);
  expect(upsertNewer(undefined, chorus)).toEqual([chorus]);
});

test('a newer state replaces the older one', () => {
  const changed = { ...verse, position: 9, tag: 'general' };
  expect(upsertNewer([verse, chorus], changed)).toEqual([changed, chorus]);
});

test('an older state that arrives late changes nothing', () => {
  const list = [verse, chorus];
  expect(upsertNewer(list, { ...chorus, position: 6, tag: 'mix' })).toBe(list);
});

test('a state with the same position replaces the current one, because an answer may contain more than a push', () => {
  const full = { ...verse, tag: 'performance' };
  expect(upsertNewer([verse], full)).toEqual([full]);
});

test('removed items disappear, and a list that has none of them stays the same object', () => {
  const list = [verse, chorus];
  expect(removeIds(list, ['verse', 'bridge'])).toEqual([chorus]);
  expect(removeIds(list, ['bridge'])).toBe(list);
  expect(removeIds<typeof verse>(undefined, ['verse'])).toEqual([]);
});

describe('a snapshot', () => {
  const at = (_id: string, position: number) => ({ _id, position });

  test('that pushes have overtaken does not overwrite newer items', () => {
    expect(mergeSnapshot([at('a', 5), at('b', 1), at('c', 9)], [at('a', 3), at('d', 4)], 6, NO_TOMBSTONES)).toEqual([at('a', 5), at('d', 4), at('c', 9)]);
    expect(mergeSnapshot(undefined, [at('a', 1)], 6, NO_TOMBSTONES)).toEqual([at('a', 1)]);
  });

  test('does not bring back what was removed after it was made', () => {
    const removed = addTombstones(NO_TOMBSTONES, ['b'], 61);
    expect(mergeSnapshot([at('a', 5)], [at('a', 5), at('b', 7)], 60, removed)).toEqual([at('a', 5)]);
    expect(mergeSnapshot(undefined, [at('a', 5), at('b', 7)], 60, removed)).toEqual([at('a', 5)]);
  });

  test('made after a removal takes precedence over it', () => {
    const removed = addTombstones(NO_TOMBSTONES, ['b'], 61);
    expect(mergeSnapshot([], [at('b', 7)], 61, removed)).toEqual([at('b', 7)]);
  });

  test('keeps an item that was restored after its removal', () => {
    const removed = addTombstones(NO_TOMBSTONES, ['b'], 61);
    expect(mergeSnapshot([at('b', 64)], [at('b', 7)], 60, removed)).toEqual([at('b', 64)]);
  });

  test('from which nothing was removed since stays the same list', () => {
    const list = [at('a', 5)];
    expect(withoutRemoved(list, 60, addTombstones(NO_TOMBSTONES, ['b'], 61))).toBe(list);
  });
});

describe('tombstones', () => {
  test('keep the newest removal of an item', () => {
    expect(addTombstones(addTombstones(NO_TOMBSTONES, ['a'], 61), ['a', 'b'], 60)).toEqual(
      new Map([
        ['a', 61],
        ['b', 60],
      ]),
    );
  });

  test('are limited in number: the oldest is dropped first', () => {
    const ids = Array.from({ length: 500 }, (_, nth) => `r${nth}`);
    const tombstones = addTombstones(addTombstones(NO_TOMBSTONES, ['first'], 1), ids, 2);
    expect(tombstones.size).toBe(500);
    expect(tombstones.has('first')).toBe(false);
  });

  test('are forgotten once a snapshot covers the removal', () => {
    expect(tombstonesAfter(addTombstones(addTombstones(NO_TOMBSTONES, ['a'], 61), ['b'], 62), 61)).toEqual(new Map([['b', 62]]));
  });
});
