import type { Destination } from '../../shared/project/project-context';

export type SearchKind = 'todo' | 'comment' | 'note' | 'region';

/** Something in a project that can be found, and where it leads. */
export interface SearchItem {
  readonly id: string;
  readonly kind: SearchKind;
  readonly text: string;
  /** Whose it is and where, shown behind the text. It is searched too. */
  readonly about: string;
  readonly destination: Destination;
}

/** The part of a text around the first match. */
export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

export interface Found {
  readonly item: SearchItem;
  readonly excerpt: Excerpt;
}

/** Rather than scroll through more, the user types another word. */
export const MOST_FOUND = 50;
const BEFORE = 32;
const AFTER = 96;
const MARKS = /\p{M}/gu;
const NOT_FOLDED = /[^a-z0-9\s]/gu;

/** A text without case and accents. Every position stays where it was, so that a match can be shown in the original. */
export const fold = (text: string): string =>
  text.replace(NOT_FOLDED, (character) => {
    const folded = character.normalize('NFD').replace(MARKS, '').toLowerCase();
    return folded.length === character.length ? folded : character;
  });

/** An item with its folded texts. */
export interface Indexed {
  readonly item: SearchItem;
  readonly text: string;
  readonly all: string;
}

export const indexed = (items: readonly SearchItem[]): readonly Indexed[] =>
  items.map((item) => {
    const text = fold(item.text);
    return { item, text, all: `${text} ${fold(item.about)}` };
  });

function excerptOf({ text: original }: SearchItem, text: string, words: readonly string[]): Excerpt {
  const word = words.find((one) => text.includes(one)) ?? '';
  const at = word === '' ? 0 : text.indexOf(word);
  const from = at <= BEFORE ? 0 : at - BEFORE;
  const until = at + word.length;
  const end = until + AFTER;
  return {
    before: `${from === 0 ? '' : '…'}${original.slice(from, at)}`,
    match: original.slice(at, until),
    after: `${original.slice(until, end)}${end < original.length ? '…' : ''}`,
  };
}

/** The items that contain every word of a query, in the order of the items. */
export function search(items: readonly Indexed[], query: string): readonly Found[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: Found[] = [];
  for (const { item, text, all } of items) {
    if (!words.every((word) => all.includes(word))) continue;
    found.push({ item, excerpt: excerptOf(item, text, words) });
    if (found.length === MOST_FOUND) break;
  }
  return found;
}
