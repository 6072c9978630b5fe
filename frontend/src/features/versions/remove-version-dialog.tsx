import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { isProblem } from '../../shared/api/api-errors';
import { useKeptFiles } from '../../shared/site/use-kept-files';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { useRemoveVersion } from './versions.queries';

export interface RemoveVersionDialogProps {
  readonly version: VersionView;
  readonly onClose: () => void;
  readonly onProject: (project: ProjectView) => void;
}

/** Confirms the removal of a version. */
export function RemoveVersionDialog({ version, onClose, onProject }: RemoveVersionDialogProps) {
  const removal = useRemoveVersion(version.projectId, onProject);
  const kept = useKeptFiles('The file is');
  const confirm = () => removal.mutate(version._id, { onSuccess: onClose, onError: (error) => isProblem(error, 'version.not-found') && onClose() });
  return (
    <ConfirmDialog
      title={`Remove ${versionNumber(version)}?`}
      isOpen
      onClose={onClose}
      onConfirm={confirm}
      isPending={removal.isPending}
      error={removal.error}
      confirm="Remove version"
      cancel="Keep it"
      stays="Comments/Todos from this version will still be visible."
      hint={kept}
    >
      Are you sure you want to remove this version from the project?
    </ConfirmDialog>
  );
}
