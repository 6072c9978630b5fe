import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { Visibility } from '@roughmix/contracts/projects/project.access.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from '../api/api-errors';
import { api } from '../api/client';
import { ConfirmDialog } from '../ui/confirm-dialog';

export interface LeaveQuestionProps {
  readonly project: { readonly _id: Id; readonly projectName: string };
  /** Null if the page does not know it. */
  readonly visibility: Visibility | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onLeft: (message: string) => void;
}

const CONSEQUENCES: Readonly<Record<Visibility, string>> = {
  public: 'It is public, so you can still open it, but to take part you need a new invitation from its owner.',
  private: 'You lose access until its owner invites you again.',
};

/** Already removed from it: treat as success. */
const isGone = (error: unknown): boolean => isProblem(error, 'project.not-found');

/** Asks before the user leaves a project. */
export function LeaveQuestion({ project, visibility, isOpen, onClose, onLeft }: LeaveQuestionProps) {
  const leaving = useMutation({ mutationFn: () => api.send('POST', PROJECT_PATHS.leave(project._id), {}) });
  const done = () => onLeft(`You left ${isolated(project.projectName)}.`);
  return (
    <ConfirmDialog
      title={`Leave ${isolated(project.projectName)}?`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => leaving.mutate(undefined, { onSuccess: done, onError: (error) => isGone(error) && done() })}
      isPending={leaving.isPending}
      error={isGone(leaving.error) ? null : leaving.error}
      confirm="Leave project"
      cancel="Stay"
      stays="What you wrote and uploaded stays in it."
    >
      {visibility === null ? 'To take part again, you need a new invitation from its owner.' : CONSEQUENCES[visibility]}
    </ConfirmDialog>
  );
}
