import type { Id } from '@roughmix/contracts/shared/ids.js';
import { mayAddVersion, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import { toTyped } from '@roughmix/contracts/shared/post-text.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { mayRemoveVersion } from '@roughmix/contracts/versions/version.access.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { ChevronsUpDown, Plus, Trash2 } from 'lucide-react';
import { useNow } from '../../shared/hooks/use-now';
import { Icon } from '../../shared/ui/icon';
import { Kbd } from '../../shared/ui/kbd';
import { Menu, type MenuEntry } from '../../shared/ui/menu';
import { versionByline } from './version-words';
import { slotsOf } from './version-slots';
import './versions.css';

export interface VersionPickerProps {
  readonly versions: readonly VersionView[];
  readonly selectedVersion: VersionView;
  readonly viewer: Viewer;
  readonly onSelectVersion: (id: Id) => void;
  readonly onAdd: () => void;
  readonly onRemove: (version: VersionView) => void;
}

function optionOf(version: VersionView, now: number, slot: number) {
  return {
    id: version._id,
    label: `${versionNumber(version)} ${toTyped(version.tinySummary)}`,
    content: (
      <span className="vopt grow">
        <b>{versionNumber(version)}</b>
        <span className="cut">
          {toTyped(version.tinySummary)}
          <span className="meta note cut">{versionByline(version, now)}</span>
        </span>
      </span>
    ),
    end: slot === 0 ? undefined : <Kbd>{slot}</Kbd>,
  };
}

function entriesOf({ versions, selectedVersion, viewer, onSelectVersion, onAdd, onRemove }: VersionPickerProps, now: number): readonly MenuEntry[] {
  const slots = slotsOf(versions);
  const options = versions.toReversed().map((version) => optionOf(version, now, slots.indexOf(version) + 1));
  const actions: MenuEntry[] = [];
  if (mayAddVersion(viewer)) actions.push({ id: 'add', label: 'New Version', icon: Plus, onSelect: onAdd });
  if (mayRemoveVersion(viewer, { uploaderUid: selectedVersion.uploader.uid, initialLogin: selectedVersion.initialLogin })) {
    actions.push({ id: 'remove', label: `Remove ${versionNumber(selectedVersion)}`, icon: Trash2, isDanger: true, onSelect: () => onRemove(selectedVersion) });
  }
  const pick: MenuEntry = {
    id: 'versions',
    label: 'Versions',
    mode: 'one',
    options,
    chosen: [selectedVersion._id],
    onChange: ([id]) => id !== undefined && onSelectVersion(id),
  };
  return actions.length === 0 ? [pick] : [pick, 'line', ...actions];
}

/** The selected version, with a menu of the others. */
export function VersionPicker(props: VersionPickerProps) {
  const { selectedVersion } = props;
  const now = useNow();
  return (
    <Menu
      label="Versions"
      placement="bottom start"
      entries={entriesOf(props, now)}
      trigger={({ onPress, ...trigger }) => (
        <button type="button" className="vpick" onClick={onPress} {...trigger}>
          <span className="sr">Version </span>
          <span className="v">{versionNumber(selectedVersion)}</span>{' '}
          <span className="grow">
            <span className="cut line-of">{toTyped(selectedVersion.tinySummary)}</span>{' '}
            <span className="meta cut line-of">{versionByline(selectedVersion, now)}</span>
          </span>
          <Icon of={ChevronsUpDown} size={14} />
        </button>
      )}
    />
  );
}
