/** A change of a text: `removed` UTF-16 units at `at` are replaced by `inserted`. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

/** A splice without its text, which suffices to move positions. `inserted` is a length. */
export interface Change {
  readonly at: number;
  readonly removed: number;
  readonly inserted: number;
}

export const changeOf = ({ at, removed, inserted }: Splice): Change => ({ at, removed, inserted: inserted.length });

/** The text after a splice. */
export const applySplice = (text: string, { at, removed, inserted }: Splice): string => text.slice(0, at) + inserted + text.slice(at + removed);

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Whether a position lies between the two halves of a surrogate pair. */
const splitsPair = (text: string, at: number): boolean => isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));

/** Whether a splice lies within a text and cuts no surrogate pair. */
export function fitsText(text: string, { at, removed }: Pick<Splice, 'at' | 'removed'>): boolean {
  return at >= 0 && removed >= 0 && at + removed <= text.length && !splitsPair(text, at) && !splitsPair(text, at + removed);
}

/** The shortest splice that turns one text into the other without cutting a surrogate pair. Of several, the rightmost. */
export function smallestSplice(from: string, to: string): Splice {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start += 1;
  if (splitsPair(from, start) || splitsPair(to, start)) start -= 1;
  let end = 0;
  while (end < shorter - start && from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)) end += 1;
  if (splitsPair(from, from.length - end) || splitsPair(to, to.length - end)) end -= 1;
  return { at: start, removed: from.length - start - end, inserted: to.slice(start, to.length - end) };
}
