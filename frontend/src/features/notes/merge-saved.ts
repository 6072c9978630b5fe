import { moveCaret, rebaseSplice } from '@roughmix/contracts/notes/note-merge.js';
import { applySplice, changeOf, smallestSplice, type Splice } from '@roughmix/contracts/notes/note-splice.js';

/** The user's text with the server's changes merged into it. */
export interface Merged {
  readonly text: string;
  /** Maps a position in the text before to one in the merged text. */
  readonly moved: (caret: number) => number;
}

const unmoved = (caret: number): number => caret;

/** Where a caret moves: one within the user's own change stays with it, any other stays with the text around it. */
function movedWith(own: Splice, rebased: Splice, remote: Splice): (caret: number) => number {
  const grown = own.inserted.length - own.removed;
  return (caret) => {
    if (caret < own.at) return moveCaret(caret, changeOf(remote));
    if (caret <= own.at + own.inserted.length) return caret - own.at + rebased.at;
    return moveCaret(caret - grown, changeOf(remote)) + grown;
  };
}

/**
 * Merges what the server saved into what the user wrote, by the rules that the server merges by.
 * @param base the text that both started from
 * @returns null for a conflict: both changed the same part
 */
export function mergeSaved(base: string, saved: string, own: string): Merged | null {
  if (own === saved) return { text: own, moved: unmoved };
  const remote = smallestSplice(base, saved);
  if (own === base) return { text: saved, moved: (caret) => moveCaret(caret, changeOf(remote)) };
  const splice = smallestSplice(base, own);
  const rebased = rebaseSplice(splice, [changeOf(remote)]);
  return rebased && { text: applySplice(saved, rebased), moved: movedWith(splice, rebased, remote) };
}

/** Both texts of a conflict: the lines that they begin and end with once, between them what was saved, then what the user wrote. */
export function keepBoth(saved: string, own: string): string {
  if (saved === '' || own === '') return saved + own;
  const [savedLines, ownLines] = [saved.split('\n'), own.split('\n')];
  const shorter = Math.min(savedLines.length, ownLines.length);
  let start = 0;
  while (start < shorter && savedLines[start] === ownLines[start]) start += 1;
  let end = 0;
  while (end < shorter - start && savedLines.at(-1 - end) === ownLines.at(-1 - end)) end += 1;
  const savedEnd = savedLines.length - end;
  return [...savedLines.slice(0, savedEnd), ...ownLines.slice(start, ownLines.length - end), ...savedLines.slice(savedEnd)].join('\n');
}
