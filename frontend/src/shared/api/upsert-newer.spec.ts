import { expect, test } from '@jest/globals';
import { removeIds, upsertNewer } from './upsert-newer';

const verse = { _id: 'verse', position: 4, tag: 'mix' };
const chorus = { _id: 'chorus', position: 7, tag: 'style' };

test('a new thing goes to the end', () => {
  expect(upsertNewer([verse], chorus)).toEqual([verse, chorus]);
  expect(upsertNewer(undefined, chorus)).toEqual([chorus]);
});

test('a newer state takes the place of the older', () => {
  const changed = { ...verse, position: 9, tag: 'general' };
  expect(upsertNewer([verse, chorus], changed)).toEqual([changed, chorus]);
});

test('an older state that comes late changes nothing', () => {
  const list = [verse, chorus];
  expect(upsertNewer(list, { ...chorus, position: 6, tag: 'mix' })).toBe(list);
});

test('the same position is taken, because an answer may say more than a message', () => {
  const full = { ...verse, tag: 'performance' };
  expect(upsertNewer([verse], full)).toEqual([full]);
});

test('what is removed goes, and a list without it stays the same one', () => {
  const list = [verse, chorus];
  expect(removeIds(list, ['verse', 'bridge'])).toEqual([chorus]);
  expect(removeIds(list, ['bridge'])).toBe(list);
  expect(removeIds<typeof verse>(undefined, ['verse'])).toEqual([]);
});
