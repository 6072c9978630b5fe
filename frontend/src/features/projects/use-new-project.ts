import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../app/paths';
import { ApiProblem } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import type { UploadReport, UploadStatus } from '../../shared/uploads/upload-jobs';
import { useUpload } from '../../shared/uploads/use-upload';
import { submissionOf, type NewProjectDraft } from './new-project-draft';
import { newProjectRun, type NewProjectRun } from './new-project-run';
import { PROJECTS_KEY } from './projects-queries';

/** Progress of creating a project. After 'failed' it can continue at the failed step. */
export type Phase =
  | { readonly at: 'editing'; readonly refusal: ApiProblem | null }
  | Extract<UploadStatus, { at: 'running' }>
  | { readonly at: 'failed'; readonly error: unknown; readonly isCreated: boolean }
  | { readonly at: 'undoing' };

interface ProjectCreation {
  readonly phase: Phase;
  readonly start: (draft: NewProjectDraft, file: File) => void;
  readonly cancel: () => void;
  /** Cancels what is running, because the user closed the dialog. */
  readonly discard: () => void;
  readonly undo: () => void;
}

/** A refused first step created nothing, so the form is editable again. Later failures keep the run for a retry. */
const afterFailure = (isCreated: boolean, error: unknown): Phase =>
  !isCreated && error instanceof ApiProblem && error.problem.status < 500 ? { at: 'editing', refusal: error } : { at: 'failed', error, isCreated };

function phaseOf(status: Exclude<UploadStatus, { at: 'done' }> | null, run: NewProjectRun | null): Phase {
  if (status === null) return { at: 'editing', refusal: null };
  return status.at === 'failed' ? afterFailure(run?.isCreated() ?? false, status.error) : status;
}

/** Removes the unfinished project. */
function useUndo(run: NewProjectRun | null, onUndone: () => void) {
  const cache = useQueryClient();
  const [phase, setPhase] = useState<Phase | null>(null);
  const undo = async () => {
    setPhase({ at: 'undoing' });
    try {
      await run?.undo();
      onUndone();
    } catch (error) {
      setPhase({ at: 'failed', error, isCreated: true });
    }
    await cache.invalidateQueries({ queryKey: PROJECTS_KEY });
  };
  return { undo, undoPhase: phase, forgetUndo: () => setPhase(null) };
}

/** Creates a project in four steps, or continues `unfinished`, which has no first version yet. */
export function useNewProject(unfinished: ListedProject | null, onDone: (project: ProjectView) => void, onUndone: () => void): ProjectCreation {
  const cache = useQueryClient();
  const uid = useSession().user?.uid ?? '';
  const [run, setRun] = useState<NewProjectRun | null>(null);
  const linkTo = (project: ProjectView) => ({ href: paths.project(project, uid), label: project.projectName });
  const { status, start, cancel, discard } = useUpload(linkTo, onDone);
  const { undo, undoPhase, forgetUndo } = useUndo(run, () => {
    discard();
    onUndone();
  });
  const phase = undoPhase ?? phaseOf(status, run);

  const create = (current: NewProjectRun, file: File) => async (report: UploadReport) => {
    try {
      return await current.go(file, report);
    } finally {
      void cache.invalidateQueries({ queryKey: PROJECTS_KEY });
    }
  };
  const startRun = (draft: NewProjectDraft, file: File) => {
    // A refused draft has been edited since.
    const current = run === null || phase.at === 'editing' ? newProjectRun(submissionOf(draft), unfinished?._id ?? null) : run;
    setRun(current);
    forgetUndo();
    start(file, create(current, file));
  };
  return { phase, start: startRun, cancel, discard, undo: () => void undo() };
}
