import { mayExportMarkers } from '@roughmix/contracts/markers/marker.access.js';
import type { MarkerFormat } from '@roughmix/contracts/markers/marker.formats.js';
import { MARKER_PATHS } from '@roughmix/contracts/markers/marker.paths.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { AudioLines, FileDown, type LucideIcon, Printer, Tags, Table2 } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import { Menu } from '../../shared/ui/menu';

interface FormatChoice {
  readonly format: MarkerFormat;
  readonly label: string;
  readonly note: string;
  readonly icon: LucideIcon;
}

const CHOICES: readonly FormatChoice[] = [
  { format: 'reaper', label: 'REAPER', note: 'Import in the Region/Marker Manager', icon: AudioLines },
  { format: 'audacity', label: 'Audacity', note: 'Import as a label track', icon: Tags },
  { format: 'csv', label: 'Spreadsheet', note: 'CSV with completed todos', icon: Table2 },
  { format: 'print', label: 'Print', note: 'Opens in a new tab', icon: Printer },
];

interface ExportMarkersMenuProps {
  readonly projectId: Id;
  /** The version in the player. */
  readonly version: VersionView | null;
  readonly viewer: Viewer;
}

/** Downloads the regions, comments and todos of a version for other programs. */
export function ExportMarkersMenu({ projectId, version, viewer }: ExportMarkersMenuProps) {
  if (version === null || !mayExportMarkers(viewer)) return null;
  const entries = CHOICES.map(({ format, ...words }) => ({
    id: format,
    ...words,
    href: MARKER_PATHS.export({ projectId, versionId: version._id, format }),
    isNewTab: format === 'print',
  }));
  return (
    <Menu
      label="Export markers"
      head={<span className="meta">Regions, comments and todos of {versionNumber(version)}</span>}
      entries={entries}
      trigger={(trigger) => <IconButton {...trigger} label="Export markers" icon={FileDown} />}
    />
  );
}
