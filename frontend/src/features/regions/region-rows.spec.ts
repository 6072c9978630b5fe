import { expect, test } from '@jest/globals';
import { rowsOf } from './region-rows';

const rows = (...extents: readonly (readonly [id: string, left: number, right: number])[]) => {
  const { rowOf, count } = rowsOf(extents.map(([id, left, right]) => ({ id, left, right })));
  return { ...Object.fromEntries(rowOf), count };
};

test('labels that do not overlap share the first row, even if they touch', () => {
  expect(rows(['a', 0, 10], ['b', 10, 20], ['c', 30, 40])).toEqual({ a: 0, b: 0, c: 0, count: 2 });
});

test('an overlapping label is put in the second row', () => {
  expect(rows(['long', 0, 100], ['inside', 20, 40], ['after', 50, 60], ['free', 100, 120])).toEqual({ long: 0, inside: 1, after: 1, free: 0, count: 2 });
});

test('the lane grows for more than two overlapping labels', () => {
  expect(rows(['a', 0, 100], ['b', 10, 90], ['c', 20, 80], ['d', 85, 95])).toEqual({ a: 0, b: 1, c: 2, d: 2, count: 3 });
});

test('of two labels with the same start, the longer is on top', () => {
  expect(rows(['short', 0, 10], ['long', 0, 50])).toEqual({ long: 0, short: 1, count: 2 });
});

test('an empty lane has two rows', () => {
  expect(rows()).toEqual({ count: 2 });
});
