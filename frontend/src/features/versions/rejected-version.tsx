import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { mayRemoveVersion, mayReplaceVersion } from '@roughmix/contracts/versions/version.access.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { CircleAlert } from 'lucide-react';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';

export interface RejectedVersionProps {
  readonly version: VersionView;
  readonly viewer: Viewer;
  readonly onReplace: (version: VersionView) => void;
  readonly onRemove: (version: VersionView) => void;
}

/** Why a version cannot be played, with the actions that the viewer may take. */
export function RejectedVersion({ version, viewer, onReplace, onRemove }: RejectedVersionProps) {
  const facts = { uploaderUid: version.uploader.uid, initialLogin: version.initialLogin };
  return (
    <div className="rejected" role="group" aria-label="This version cannot be played">
      <p>
        <Icon of={CircleAlert} />
        <span>
          <b>Unable to load media</b>
          <br />
          {version.rejection?.detail ?? detailOf('upload.damaged')}
        </span>
      </p>
      {mayRemoveVersion(viewer, facts) && (
        <div className="flex">
          {mayReplaceVersion(viewer, facts) && (
            <Button size="s" onPress={() => onReplace(version)}>
              New file
            </Button>
          )}
          <Button size="s" variant="danger-quiet" onPress={() => onRemove(version)}>
            Remove
          </Button>
        </div>
      )}
    </div>
  );
}
