import { expect, test } from '@jest/globals';
import { type Pin, pinGroups } from './pin-groups';

const pin = (id: string, at: number, kind: Pin['kind'] = 'comment'): Pin => ({ id, at, kind, person: { name: id } });
const grouped = (pins: readonly Pin[], px: number) =>
  pinGroups(pins, (seconds) => seconds * px).map((group) => [group.x, group.pins.map(({ id }) => id).join('')]);

test('pins that do not overlap stay separate, in time order', () => {
  expect(grouped([pin('b', 20), pin('a', 10)], 10)).toEqual([
    [100, 'a'],
    [200, 'b'],
  ]);
});

test('pins that would overlap form a group at the first one’s position', () => {
  expect(grouped([pin('a', 10), pin('b', 12), pin('c', 40, 'todo')], 10)).toEqual([
    [100, 'ab'],
    [400, 'c'],
  ]);
});

test('a group is wider than one avatar, and absorbs pins that it overlaps', () => {
  expect(grouped([pin('a', 0), pin('b', 20), pin('c', 50)], 1)).toEqual([[0, 'abc']]);
  expect(grouped([pin('a', 0), pin('c', 50)], 1)).toHaveLength(2);
});
