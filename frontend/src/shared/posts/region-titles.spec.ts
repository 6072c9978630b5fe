import { expect, test } from '@jest/globals';
import { aComment } from '../../testing/comments';
import { regionTitles } from './region-titles';

test('a region without a label is titled with the beginning of the first comment on it', () => {
  const tagged = [{ _id: 'r1', tag: 'mix', timespan: '0:01 – 0:02', start: 1, end: 2, childRegion: null }] as const;
  const later = aComment('c2', { dateAdded: 2, taggedRegions: tagged, content: 'second' });
  const first = aComment('c1', { dateAdded: 1, taggedRegions: tagged, content: `%MENTION_Bob_END% ${'long '.repeat(20)}` });
  expect(regionTitles([later, first]).get('r1')).toBe('@Bob long long long long long long long long long long long…');
});
