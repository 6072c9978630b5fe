import type { Id } from '@roughmix/contracts/shared/ids.js';

/** Two versions to switch between, in the order in which their waves are shown. */
export interface ComparedPair {
  readonly ids: readonly [Id, Id];
  /** Which of them is selected. */
  readonly at: 0 | 1;
}

/** The one that is not selected. */
export const otherOf = ({ ids, at }: ComparedPair): Id => ids[at === 0 ? 1 : 0];

const place = (selectedId: Id, otherId: Id, at: 0 | 1): ComparedPair => ({ ids: at === 0 ? [selectedId, otherId] : [otherId, selectedId], at });

/** The pair with the selected version first. */
export const selectedFirst = (pair: ComparedPair): ComparedPair => (pair.at === 0 ? pair : place(pair.ids[1], pair.ids[0], 0));

/** The pair with another version beside the selected one. */
export const withOther = ({ ids, at }: ComparedPair, otherId: Id): ComparedPair => place(ids[at], otherId, at);

/** Selecting the other version keeps the pair. While both are shown, a third version replaces the selected one; else it is paired with it. */
function follow(pair: ComparedPair, selectedId: Id, isShown: boolean): ComparedPair {
  const before = pair.ids[pair.at];
  if (selectedId === before) return pair;
  if (selectedId === otherOf(pair)) return { ids: pair.ids, at: pair.at === 0 ? 1 : 0 };
  return isShown ? place(selectedId, otherOf(pair), pair.at) : place(selectedId, before, 0);
}

export interface PairInput {
  /** Versions that can be played, oldest first. */
  readonly versionIds: readonly Id[];
  readonly selectedId: Id;
  readonly isShown: boolean;
}

/** The pair after the selection or the list has changed; null with fewer than two versions. The initial pair has the version before the selected one. */
export function nextPair(pair: ComparedPair | null, { versionIds, selectedId, isShown }: PairInput): ComparedPair | null {
  const at = versionIds.indexOf(selectedId);
  if (at === -1) return null;
  const next = pair && follow(pair, selectedId, isShown);
  if (next && versionIds.includes(otherOf(next))) return next;
  const neighbour = versionIds[at - 1] ?? versionIds[at + 1];
  return neighbour === undefined ? null : place(selectedId, neighbour, 0);
}
