import { expect, test } from '@jest/globals';
import { refuse } from '../../kernel/refusal.js';
import { pageOf, pageRequest } from './paging.js';

test('a page has 50 items unless the request says otherwise', () => {
  expect(pageRequest({})).toEqual({ before: null, limit: 50 });
  expect(pageRequest({ before: '17', limit: '100' })).toEqual({ before: 17, limit: 100 });
  expect(pageRequest({ limit: undefined }, 12)).toEqual({ before: null, limit: 12 });
});

test.each([
  ['before', { before: 'x' }],
  ['before', { before: '-1' }],
  ['before', { before: '' }],
  ['before', { before: ['1', '2'] }],
  ['before', { before: '9'.repeat(16) }],
  ['limit', { limit: '0' }],
  ['limit', { limit: '101' }],
  ['limit', { limit: '1.5' }],
  ['limit', { limit: '' }],
])('an invalid %s is refused: %j', (field, query) => {
  const { refused: code, extras } = refuse('request.invalid', { field });
  expect(() => pageRequest(query)).toThrow(expect.objectContaining({ code, extras }));
});

test('a page names the next older one only if there is one', () => {
  const page = { before: null, limit: 2 };
  expect(pageOf([9, 7, 4], page, (item) => item)).toEqual({ items: [9, 7], next: '7' });
  expect(pageOf([9, 7], page, (item) => item)).toEqual({ items: [9, 7], next: null });
  expect(pageOf([], page, (item: number) => item)).toEqual({ items: [], next: null });
});
