import type { ListedProject } from '@roughmix/contracts/projects/project.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { useKeptFiles } from '../../shared/site/use-kept-files';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { WhileOpen } from '../../shared/ui/while-open';
import { isUnfinished } from './project-groups';

interface RemoveProjectDialogProps {
  /** Empty while the dialog is closed. */
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

function Question({ projects, isPending, onConfirm, onClose }: RemoveProjectDialogProps) {
  const [first] = projects;
  const kept = useKeptFiles('The audio files are');
  const title = projects.length === 1 && first !== undefined ? `Remove ${isolated(first.projectName)}?` : `Remove ${projects.length} projects?`;
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

/** Confirms the removal of projects. */
export const RemoveProjectDialog = ({ projects, ...props }: RemoveProjectDialogProps) => (
  <WhileOpen value={projects.length === 0 ? null : projects}>{(asked) => <Question projects={asked} {...props} />}</WhileOpen>
);
