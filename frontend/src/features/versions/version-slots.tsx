import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { classNames } from '../../shared/ui/class-names';
import './versions.css';

const SLOTS = 9;

/** The versions on keys 1 to 9: the latest nine, oldest first. */
export const slotsOf = (versions: readonly VersionView[]): readonly VersionView[] => versions.slice(-SLOTS);

export interface VersionSlotsProps {
  readonly versions: readonly VersionView[];
  readonly selectedVersion: VersionView;
  /** The version that sounds, or would; the previous one while the selected one is loading. */
  readonly playingId: Id | null;
  readonly loadingId: Id | null;
  readonly onSelectVersion: (id: Id) => void;
}

/** A button and a key per version; hidden for a single version. */
export function VersionSlots({ versions, selectedVersion, playingId, loadingId, onSelectVersion }: VersionSlotsProps) {
  const slots = slotsOf(versions);
  const digits = slots.map((_, at) => String(at + 1));
  const run = ({ key }: KeyboardEvent) => {
    const version = slots[Number(key) - 1];
    if (version) onSelectVersion(version._id);
  };
  useShortcuts([{ keys: digits, caps: digits.length > 1 ? [`1–${digits.length}`] : digits, label: 'Switch version', run }]);
  if (slots.length < 2) return null;
  return (
    <div className="slots" role="group" aria-label={`Switch version, keys 1 to ${slots.length}`}>
      {slots.map((version, at) => (
        <button
          key={version._id}
          type="button"
          className={classNames(version._id === (playingId ?? selectedVersion._id) && 'on', version._id === loadingId && 'loading')}
          aria-pressed={version === selectedVersion}
          aria-busy={version._id === loadingId || undefined}
          aria-label={`Version ${versionNumber(version)}`}
          title={toTyped(version.tinySummary)}
          data-key={at + 1}
          onClick={() => onSelectVersion(version._id)}
        >
          {versionNumber(version)}
        </button>
      ))}
    </div>
  );
}
