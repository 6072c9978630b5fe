import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { isUnfinished } from './project-groups';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';

interface RemoveProjectDialogProps {
  /** Empty when nothing is asked. */
  readonly projects: readonly ListedProject[];
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function question(projects: readonly ListedProject[]): string {
  const what = projects.length === 1 ? 'this project' : 'these projects';
  const others = projects.some(({ addedUsers }) => addedUsers !== undefined && addedUsers.length > 0);
  return `Are you sure you want to remove ${what}?${others ? ' Everyone in it loses access too.' : ''}`;
}

/** Asks before projects are removed, and says what stays. */
export function RemoveProjectDialog({ projects, isPending, onConfirm, onClose }: RemoveProjectDialogProps) {
  const [first] = projects;
  const title = projects.length === 1 && first !== undefined ? `Remove ${first.projectName}?` : `Remove ${projects.length} projects?`;
  const stays = projects.every(isUnfinished)
    ? 'Nothing was uploaded yet, so nothing else is lost.'
    : 'The audio files are kept for 30 days. Downloaded copies are not affected.';
  return (
    <ConfirmDialog
      title={title}
      isOpen={projects.length > 0}
      onClose={onClose}
      onConfirm={onConfirm}
      isPending={isPending}
      stays={stays}
      confirm={projects.length === 1 ? 'Remove project' : `Remove ${projects.length} projects`}
      cancel="Keep"
    >
      {question(projects)}
    </ConfirmDialog>
  );
}
