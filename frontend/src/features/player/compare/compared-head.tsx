import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { ChevronsUpDown } from 'lucide-react';
import { formatMark } from '../../../shared/format/time';
import { classNames } from '../../../shared/ui/class-names';
import { IconButton } from '../../../shared/ui/icon-button';
import { Kbd } from '../../../shared/ui/kbd';
import { Menu } from '../../../shared/ui/menu';
import type { PlayerState, PlayerStore } from '../player-state';
import { usePlayer } from '../use-player';
import './compare.css';
import type { Compare } from './use-compare';

interface ComparedHeadProps {
  readonly store: PlayerStore;
  readonly compare: Compare;
  readonly version: VersionView;
  readonly isSelected: boolean;
  /** True for the version that plays, or plays next. */
  readonly isPlaying: boolean;
  /** CSS pixels of the visible part of the track. */
  readonly width: number;
}

function ChooseOther({ compare: { choices, other, onChoose } }: Pick<ComparedHeadProps, 'compare'>) {
  const options = choices.toReversed().map((version) => ({ id: version._id, label: `${versionNumber(version)} ${toTyped(version.tinySummary)}` }));
  return (
    <Menu
      label="Compare with"
      placement="bottom start"
      entries={[
        { id: 'versions', label: 'Compare with', mode: 'one', options, chosen: other ? [other._id] : [], onChange: ([id]) => id !== undefined && onChoose(id) },
      ]}
      trigger={(trigger) => <IconButton {...trigger} size="s" label="Compare with another version" icon={ChevronsUpDown} iconSize={14} />}
    />
  );
}

function noteOf({ loadingVersionId, position }: PlayerState, version: VersionView): string | null {
  if (loadingVersionId === version._id) return 'loading';
  return position >= version.duration ? `${versionNumber(version)} ended at ${formatMark(version.duration)}` : null;
}

/** Names a version above its wave while two are compared. A press switches to it. */
export function ComparedHead({ store, compare, version, isSelected, isPlaying, width }: ComparedHeadProps) {
  const note = usePlayer(store, (state) => noteOf(state, version));
  return (
    <div className="compared-head" style={{ width }}>
      <button
        type="button"
        className={classNames('compared-name', isPlaying && 'on')}
        aria-pressed={isSelected}
        onClick={() => compare.onSelectVersion(version._id)}
      >
        <b>{versionNumber(version)}</b>
        <span className="cut">{toTyped(version.tinySummary)}</span>
        {!isSelected && (
          <span className="only-l" aria-hidden="true">
            <Kbd>X</Kbd>
          </span>
        )}
      </button>
      {!isSelected && compare.choices.length > 1 && <ChooseOther compare={compare} />}
      <span className="meta cut">{note}</span>
    </div>
  );
}
