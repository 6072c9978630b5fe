import { expect, test } from '@jest/globals';
import { type Found, fold, indexed, MOST_FOUND, search, type SearchItem } from './search-items';

const item = (id: string, text: string, about = 'Ana'): SearchItem => ({ id, kind: 'comment', text, about, destination: { commentId: id } });
const items = indexed([item('c1', 'The bass is too loud'), item('c2', 'Déjà vu in the BRIDGE', 'Zoë'), item('c3', 'bass up in the bridge')]);
const idsOf = (found: readonly Found[]) => found.map((one) => one.item.id);

test.each([
  ['one word', 'bass', ['c1', 'c3']],
  ['a part of a word', 'brid', ['c2', 'c3']],
  ['all words, in any order', 'bridge bass', ['c3']],
  ['other case and accents', 'deja BRIDGE', ['c2']],
  ['accents where the text has none', 'báss', ['c1', 'c3']],
  ['whose it is', 'zoe', ['c2']],
  ['nothing', 'drums', []],
  ['blanks', '  ', []],
])('a search finds %s', (_what, query, ids) => expect(idsOf(search(items, query))).toEqual(ids));

test('a result shows the text around the first match', () => {
  const long = indexed([item('c1', `${'before '.repeat(10)}the Bridge ${'after '.repeat(30)}`)]);
  const { before, match, after } = search(long, 'bridge')[0]?.excerpt ?? { before: '', match: '', after: '' };
  expect([before, match, after.length]).toEqual([`…${'before '.repeat(4)}the `, 'Bridge', 97]);
  expect(search(items, 'zoe')[0]?.excerpt).toEqual({ before: '', match: '', after: 'Déjà vu in the BRIDGE' });
});

test('folding leaves every position where it is', () => {
  const text = 'İstanbul ŽÉ ǅ ß 🎧 é';
  expect(fold(text)).toHaveLength(text.length);
});

test('a search ends at its limit', () => {
  expect(search(indexed(Array.from({ length: 80 }, (_, at) => item(`c${at}`, 'bass'))), 'bass')).toHaveLength(MOST_FOUND);
});
