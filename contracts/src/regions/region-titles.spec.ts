import { expect, test } from '@jest/globals';
import { regionTitles } from './region-titles.js';

const on = (dateAdded: number, content: unknown) => ({ dateAdded, content, taggedRegions: [{ _id: 'r1' }] });

test('a region without a label is titled with the beginning of the first comment on it', () => {
  const first = on(1, `%MENTION_Bob_END% ${'long '.repeat(20)}`);
  expect(regionTitles([on(2, 'second'), first]).get('r1')).toBe('@Bob long long long long long long long long long long long…');
});

test('images are skipped, and no character is cut in half', () => {
  expect(regionTitles([on(1, { filename: 'a.png' }), on(2, `${'x'.repeat(58)}🥁🥁`)]).get('r1')).toBe(`${'x'.repeat(58)}…`);
});
