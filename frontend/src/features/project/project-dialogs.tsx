import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { isProblem } from '../../shared/api/api-errors';
import { LeaveQuestion } from '../../shared/project/leave-question';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { useKeptFiles } from '../../shared/site/use-kept-files';
import { WhileOpen } from '../../shared/ui/while-open';
import { useEditProject, useRemoveProject } from './project.queries';
import { RenameDialog } from './rename-dialog';

/** The dialogs that the project's menu opens. */
export type ProjectDialogName = 'rename' | 'public' | 'private' | 'remove' | 'leave';

interface QuestionProps {
  readonly project: ProjectView;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Already removed: treat as success. */
const isGone = (error: unknown) => isProblem(error, 'project.not-found');

function VisibilityQuestion({ project, isOpen, onClose, to }: QuestionProps & { readonly to: 'public' | 'private' }) {
  const edit = useEditProject(project._id);
  const toPublic = to === 'public';
  return (
    <ConfirmDialog
      title={toPublic ? 'Make it public?' : 'Make it private?'}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => edit.mutate({ visibility: to }, { onSuccess: onClose })}
      isPending={edit.isPending}
      error={edit.error}
      isDanger={false}
      confirm={toPublic ? 'Make public' : 'Make private'}
      stays={toPublic ? 'Only people you invite can comment, download or change anything.' : 'The people you invited keep their permissions.'}
    >
      {toPublic
        ? 'Everyone who is signed in, and guests, can see this project, read its comments and play every version.'
        : 'People you have not invited lose access at once.'}
    </ConfirmDialog>
  );
}

function RemoveQuestion({ project, isOpen, onClose, onLeft }: QuestionProps & { readonly onLeft: (message: string) => void }) {
  const removal = useRemoveProject(project._id);
  const kept = useKeptFiles('The audio files are');
  const others = (project.addedUsers?.length ?? 0) > 0;
  const done = () => onLeft(`${isolated(project.projectName)} was removed.`);
  return (
    <ConfirmDialog
      title={`Remove ${isolated(project.projectName)}?`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => removal.mutate(undefined, { onSuccess: done, onError: (error) => isGone(error) && done() })}
      isPending={removal.isPending}
      error={isGone(removal.error) ? null : removal.error}
      confirm="Remove project"
      cancel="Keep it"
      stays={`${kept} Downloaded copies are not affected.`}
    >
      Are you sure you want to remove this project?{others && ' Everyone in it loses access too.'}
    </ConfirmDialog>
  );
}

/** The dialogs of the project's menu, one at a time. */
export function ProjectDialogs({
  project,
  dialog,
  onClose,
  onLeft,
}: {
  readonly project: ProjectView;
  readonly dialog: ProjectDialogName | null;
  readonly onClose: () => void;
  readonly onLeft: (message: string) => void;
}) {
  const shared = { project, onClose };
  return (
    <>
      <WhileOpen value={dialog === 'rename' ? dialog : null}>{() => <RenameDialog {...shared} />}</WhileOpen>
      <VisibilityQuestion {...shared} isOpen={dialog === 'public'} to="public" />
      <VisibilityQuestion {...shared} isOpen={dialog === 'private'} to="private" />
      <RemoveQuestion {...shared} isOpen={dialog === 'remove'} onLeft={onLeft} />
      <LeaveQuestion {...shared} visibility={project.visibility} isOpen={dialog === 'leave'} onLeft={onLeft} />
    </>
  );
}
