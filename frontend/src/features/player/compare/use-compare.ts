import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useState } from 'react';
import { useShortcuts } from '../../../shared/shortcuts/use-shortcuts';
import { type ComparedPair, nextPair, otherOf, selectedFirst, withOther } from './compared-pair';

export interface CompareInput {
  readonly versions: readonly VersionView[];
  readonly version: VersionView | null;
  readonly onSelectVersion: (id: Id) => void;
}

export interface Compare {
  /** The selected version; while comparing, both, in the order of their waves. */
  readonly rows: readonly VersionView[];
  /** The one that is not selected; null if there is nothing to compare with. */
  readonly other: VersionView | null;
  readonly isShown: boolean;
  readonly onToggle: () => void;
  readonly onSelectVersion: (id: Id) => void;
  /** Versions to compare the selected one with. */
  readonly choices: readonly VersionView[];
  readonly onChoose: (id: Id) => void;
}

/** Two versions to switch between with one key, and whether both waves are shown. */
export function useCompare({ versions, version, onSelectVersion }: CompareInput): Compare {
  const [pair, setPair] = useState<ComparedPair | null>(null);
  const [isWanted, setWanted] = useState(false);
  const playable = versions.filter(({ state }) => state !== 'rejected');
  const next = version && nextPair(pair, { versionIds: playable.map(({ _id }) => _id), selectedId: version._id, isShown: isWanted });
  if (next !== pair) setPair(next);

  const isShown = isWanted && next !== null;
  const find = (id: Id) => playable.find(({ _id }) => _id === id);
  const other = next === null ? null : (find(otherOf(next)) ?? null);
  useShortcuts([{ keys: ['x'], label: 'Switch between the last two versions', run: () => other && onSelectVersion(other._id), isEnabled: other !== null }]);
  return {
    rows: isShown ? next.ids.flatMap((id) => find(id) ?? []) : version === null ? [] : [version],
    other,
    isShown,
    onToggle: () => {
      setWanted(!isShown);
      if (next !== null && !isShown) setPair(selectedFirst(next));
    },
    onSelectVersion,
    choices: playable.filter(({ _id }) => _id !== version?._id),
    onChoose: (id) => next !== null && setPair(withOther(next, id)),
  };
}
