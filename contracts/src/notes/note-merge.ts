import type { Change, Splice } from './note-splice.js';

/**
 * A splice as it applies after a change that was saved first; null if the two overlap. Ranges are half open, so changes that only touch do not overlap. At the
 * same place the text of the earlier change comes first.
 */
function rebaseOver(splice: Splice, change: Change): Splice | null {
  const end = splice.at + splice.removed;
  const changeEnd = change.at + change.removed;
  const isBehind = splice.at >= changeEnd || (splice.at === change.at && splice.removed === 0);
  if (isBehind) return { ...splice, at: Math.max(splice.at, changeEnd) - change.removed + change.inserted };
  return end <= change.at ? splice : null;
}

/**
 * Rebases a splice onto a text that changed since.
 * @param later the changes saved after the text that the splice is based on, oldest first
 * @returns null for a conflict: the splice overlaps text that a later change removed or inserted
 */
export function rebaseSplice(splice: Splice, later: readonly Change[]): Splice | null {
  let rebased: Splice | null = splice;
  for (const change of later) {
    if (rebased === null) return null;
    rebased = rebaseOver(rebased, change);
  }
  return rebased;
}

/** The position of a caret after a change of the text before, behind or around it. A caret within removed text moves to the end of what replaced it. */
export function moveCaret(caret: number, change: Change): number {
  if (caret <= change.at) return caret;
  return Math.max(caret, change.at + change.removed) - change.removed + change.inserted;
}
