import { expect, test } from '@jest/globals';
import { type Pin, pinGroups } from './pin-groups';

const pin = (id: string, at: number, kind: Pin['kind'] = 'comment'): Pin => ({ id, at, kind, person: { name: id } });
const grouped = (pins: readonly Pin[], px: number) =>
  pinGroups(pins, (seconds) => seconds * px).map((group) => [group.x, group.pins.map(({ id }) => id).join('')]);

test('pins with room between them stand alone, in the order of time', () => {
  expect(grouped([pin('b', 20), pin('a', 10)], 10)).toEqual([
    [100, 'a'],
    [200, 'b'],
  ]);
});

test('pins that would touch stand together where the first of them is', () => {
  expect(grouped([pin('a', 10), pin('b', 12), pin('c', 40, 'todo')], 10)).toEqual([
    [100, 'ab'],
    [400, 'c'],
  ]);
});

test('a group is wider than a face, and takes in what it then touches', () => {
  expect(grouped([pin('a', 0), pin('b', 20), pin('c', 50)], 1)).toEqual([[0, 'abc']]);
  expect(grouped([pin('a', 0), pin('c', 50)], 1)).toHaveLength(2);
});
