import { expect, test } from '@jest/globals';
import { RecentMap } from './recent-map.js';

/** Asked newest first: asking counts as a use. */
const keysKnown = (map: RecentMap<number>, count: number): number[] =>
  Array.from({ length: count }, (_, n) => count - 1 - n).filter((n) => map.get(`key-${n}`) === n);

test('the newest keys are known, at most twice as many as asked for', () => {
  for (let count = 1; count <= 40; count++) {
    const map = new RecentMap<number>(10);
    for (let n = 0; n < count; n++) map.set(`key-${n}`, n);
    const known = keysKnown(map, count);
    expect(known.slice(0, 10)).toEqual(Array.from({ length: Math.min(10, count) }, (_, n) => count - 1 - n));
    expect(known.length).toBeLessThanOrEqual(20);
  }
});

test('a key that is asked for again and again stays, its latest value counts', () => {
  const map = new RecentMap<number>(10);
  map.set('kept', 1);
  map.set('kept', 2);
  for (let n = 0; n < 60; n++) {
    map.set(`key-${n}`, n);
    expect(map.get('kept')).toBe(2);
  }
  map.set('kept', 3);
  expect(map.get('kept')).toBe(3);
});

test('what is known is listed, each key once with its latest value', () => {
  const map = new RecentMap<number>(3);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ] as const)
    map.set(key, value);
  map.delete('b');
  expect(Object.fromEntries(map.entries())).toEqual({ a: 4, c: 3, d: 5 });
  expect([...map.entries()]).toHaveLength(3);
});

test('nothing is known once it was cleared', () => {
  const map = new RecentMap<number>(3);
  for (let n = 0; n < 5; n++) map.set(`key-${n}`, n);
  map.clear();
  expect(keysKnown(map, 5)).toEqual([]);
});

test('keys count by what their values weigh, also after a value was replaced or taken out', () => {
  const map = new RecentMap<number>(10, (weight) => weight);
  for (let round = 0; round < 50; round++) map.set('heavy', 9);
  map.set('gone', 9);
  map.delete('gone');
  expect([map.get('heavy'), map.get('gone')]).toEqual([9, undefined]);
  for (let n = 0; n < 8; n++) map.set(`other-${n}`, 3);
  expect([map.get('heavy'), map.get('other-7'), map.get('other-0')]).toEqual([undefined, 3, undefined]);
});
