import { expect, test } from '@jest/globals';
import { aPerson, aRegion } from './testing';
import { isFiltering, NO_FILTER, passing, type RegionFilter } from './region-filter';
import { shownDraft, shownRegion } from './shown-region';

const shown = [
  aRegion('a', { tag: 'mix', user: aPerson('ana') }),
  aRegion('b', { tag: 'style', user: aPerson('bob') }),
  aRegion('c', { tag: 'mix', user: aPerson('bob') }),
  aRegion('old', { versionId: 'v1', tag: 'mix', user: aPerson('ana') }),
].map((region) => shownRegion(region, false, undefined));

const through = (filter: Partial<RegionFilter>, regions = shown) => passing(regions, { ...NO_FILTER, ...filter }, 'v2').map(({ id }) => id);

test('regions of other versions are hidden unless they are asked for', () => {
  expect(through({})).toEqual(['a', 'b', 'c']);
  expect(through({ versions: ['v1'] })).toEqual(['old']);
  expect(through({ versions: ['v1', 'v2'] })).toEqual(['a', 'b', 'c', 'old']);
});

test('users, categories and versions narrow each other', () => {
  expect(through({ users: ['bob'] })).toEqual(['b', 'c']);
  expect(through({ users: ['bob'], categories: ['mix'] })).toEqual(['c']);
  expect(through({ users: ['ana'], categories: ['mix'], versions: ['v1'] })).toEqual(['old']);
});

test('a draft is shown with any filter', () => {
  const draft = shownDraft({ versionId: 'v2', start: 1, end: 2, tag: 'general', label: null });

  expect(through({ users: ['bob'], categories: ['style'] }, [...shown, draft])).toEqual(['b', 'temp_region']);
});

test('it says whether anything is left out on purpose', () => {
  expect([isFiltering(NO_FILTER), isFiltering({ ...NO_FILTER, categories: ['mix'] })]).toEqual([false, true]);
});
