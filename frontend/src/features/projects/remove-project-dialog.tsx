import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { useKeptFiles } from '../../shared/site/use-kept-files';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { isUnfinished } from './project-groups';

interface RemoveProjectDialogProps {
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

/** Confirms the removal of projects. Render it within WhileOpen. */
export function RemoveProjectDialog({ projects, isPending, onConfirm, onClose }: RemoveProjectDialogProps) {
  const [first] = projects;
  const kept = useKeptFiles('The audio files are');
  const title = projects.length === 1 && first !== undefined ? `Remove ${first.projectName}?` : `Remove ${projects.length} projects?`;
  const stays = projects.every(isUnfinished) ? 'Nothing was uploaded yet, so nothing else is lost.' : `${kept} Downloaded copies are not affected.`;
  return (
    <ConfirmDialog
      title={title}
      isOpen
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
