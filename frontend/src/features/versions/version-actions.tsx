import { mayAddVersion, mayDownload, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { downloadUrl, type VersionView } from '@roughmix/contracts/versions/version.view.js';
import { Download, Plus } from 'lucide-react';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import './versions.css';

export interface VersionActionsProps {
  readonly selectedVersion: VersionView | null;
  readonly viewer: Viewer;
  readonly onAdd: () => void;
}

/** Buttons at the end of the transport: new version, and download of the selected one. */
export function VersionActions({ selectedVersion, viewer, onAdd }: VersionActionsProps) {
  const isPlayable = selectedVersion !== null && selectedVersion.state !== 'rejected';
  return (
    <div className="flex version-actions">
      {mayAddVersion(viewer) && (
        <Button variant="outline" icon={Plus} className="nv" aria-label="New Version" onPress={onAdd}>
          <span className="only-l">New Version</span>
        </Button>
      )}
      {isPlayable && mayDownload(viewer) && (
        <a
          className="ib"
          href={downloadUrl(selectedVersion._id)}
          download
          aria-label={`Download ${versionNumber(selectedVersion)}`}
          title={`Download ${versionNumber(selectedVersion)}`}
        >
          <Icon of={Download} size={18} />
        </a>
      )}
    </div>
  );
}
