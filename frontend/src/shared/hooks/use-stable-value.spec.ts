import { expect, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { isSameMap, useStableValue } from './use-stable-value';

test('an equal value keeps its identity; a different value is returned immediately', () => {
  const first = new Map([['a', 1]]);
  const other = new Map([['a', 2]]);
  const { result, rerender } = renderHook(({ value }) => useStableValue(value, isSameMap), { initialProps: { value: first } });
  rerender({ value: new Map([['a', 1]]) });
  expect(result.current).toBe(first);
  rerender({ value: other });
  expect(result.current).toBe(other);
  rerender({ value: new Map(other) });
  expect(result.current).toBe(other);
});

test('maps are equal if they have the same keys and values, in any order', () => {
  const map = new Map<string, number | undefined>([
    ['a', 1],
    ['b', undefined],
  ]);
  expect(isSameMap(map, new Map([...map].toReversed()))).toBe(true);
  expect(isSameMap(map, new Map([['a', 1]]))).toBe(false);
  expect(isSameMap(map, new Map(map).set('c', 3))).toBe(false);
  expect(
    isSameMap(
      map,
      new Map([
        ['a', 1],
        ['c', undefined],
      ]),
    ),
  ).toBe(false);
});
