import { expect, test } from '@jest/globals';
import { keepBoth, mergeSaved } from './merge-saved';

/** `|` marks the caret. */
function merge(base: string, saved: string, marked: string): string | null {
  const merged = mergeSaved(base, saved, marked.replace('|', ''));
  if (merged === null) return null;
  const caret = merged.moved(marked.indexOf('|'));
  return `${merged.text.slice(0, caret)}|${merged.text.slice(caret)}`;
}

test.each([
  ['others write before the caret', ['one two', 'zero one two'], 'one| two', 'zero one| two'],
  ['others write behind it', ['one two', 'one two three'], 'one| two', 'one| two three'],
  ['others write at its place', ['one two', 'one, two'], 'one| two', 'one|, two'],
  ['others remove the text around it', ['one two three', 'one three'], 'one tw|o three', 'one t|hree'],
  ['others write before the words of the user', ['one two', 'zero one two'], 'one and| two', 'zero one and| two'],
  ['others write behind them', ['one two', 'one two three'], 'one and| two', 'one and| two three'],
  ['others write at the same place: saved words come first', ['one two', 'one, two'], 'one and| two', 'one, and| two'],
  ['the user went on elsewhere', ['one two', 'zero one two'], '|one and two', '|zero one and two'],
  ['the user went on behind their own words', ['one two', 'zero one two'], 'one and tw|o', 'zero one and tw|o'],
  ['the user replaced a word', ['one two', 'zero one two'], 'one second|', 'zero one second|'],
  ['both made the same change', ['one two', 'one'], 'on|e', 'on|e'],
  ['both replaced the same word', ['one two', 'one 2'], 'one second|', null],
] as const)('%s', (_case, [base, saved], own, expected) => expect(merge(base, saved, own)).toBe(expected));

test.each([
  ['lines that are equal at the start and the end are kept once', 'Verse\nlow\nOutro', 'Verse\nhigh\nOutro', 'Verse\nlow\nhigh\nOutro'],
  ['of a changed line both versions are kept whole', 'bass louder', 'bass softer', 'bass louder\nbass softer'],
  ['what only one of them has is kept', 'Verse\nOutro', 'Verse\nsolo\nOutro', 'Verse\nsolo\nOutro'],
  ['repeated lines', 'la\nla', 'la', 'la\nla'],
  ['one text is empty', '', 'mine', 'mine'],
  ['texts that are equal', 'same\nlines', 'same\nlines', 'same\nlines'],
] as const)('both sides of a conflict: %s', (_case, saved, own, both) => expect(keepBoth(saved, own)).toBe(both));
