import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem, isAbort } from '../../shared/api/api-errors';
import { submissionOf, type NewProjectDraft } from './new-project-draft';
import { newProjectRun, type NewProjectRun, type RunStep } from './new-project-run';
import { PROJECTS_KEY } from './projects-queries';

/** Progress of creating a project. After 'failed' it can continue at the failed step. */
export type Phase =
  | { readonly at: 'editing'; readonly refusal: ApiProblem | null }
  | { readonly at: RunStep; readonly sent: number; readonly startedAt: number }
  | { readonly at: 'failed'; readonly error: unknown; readonly isCreated: boolean }
  | { readonly at: 'undoing' };

const EDITING: Phase = { at: 'editing', refusal: null };

/** True while steps are running. */
export const isRunning = (phase: Phase): phase is Extract<Phase, { readonly sent: number }> => 'sent' in phase;

interface ProjectCreation {
  readonly phase: Phase;
  readonly start: (draft: NewProjectDraft, file: File) => void;
  readonly cancel: () => void;
  readonly undo: () => void;
}

/** A refused first step created nothing, so the form is editable again. Later failures keep the run for a retry. */
const afterFailure = (run: NewProjectRun, error: unknown): Phase =>
  !run.isCreated() && error instanceof ApiProblem && error.problem.status < 500
    ? { at: 'editing', refusal: error }
    : { at: 'failed', error: isAbort(error) ? null : error, isCreated: run.isCreated() };

interface RunCallbacks {
  readonly setPhase: (phase: Phase) => void;
  readonly onDone: (project: ProjectView) => void;
  readonly onUndone: () => void;
}

/** Runs the remaining steps; false if the run cannot be continued. */
async function follow(run: NewProjectRun, file: File, signal: AbortSignal, { setPhase, onDone }: RunCallbacks): Promise<boolean> {
  const onStep = (at: RunStep) => setPhase({ at, sent: at === 'uploading' || at === 'creating' ? 0 : file.size, startedAt: Date.now() });
  const startedAt = Date.now();
  try {
    onDone(await run.go(file, { onStep, onProgress: (sent) => setPhase({ at: 'uploading', sent, startedAt }), signal }));
    return true;
  } catch (error) {
    const next = afterFailure(run, error);
    setPhase(next);
    return next.at === 'failed';
  }
}

async function undoRun(run: NewProjectRun, { setPhase, onUndone }: RunCallbacks): Promise<void> {
  setPhase({ at: 'undoing' });
  try {
    await run.undo();
    onUndone();
  } catch (error) {
    setPhase({ at: 'failed', error, isCreated: true });
  }
}

/** Creates a project in four steps, or continues `unfinished`, which has no first version yet. */
export function useNewProject(unfinished: ListedProject | null, onDone: (project: ProjectView) => void, onUndone: () => void): ProjectCreation {
  const cache = useQueryClient();
  const [phase, setPhase] = useState<Phase>(EDITING);
  const run = useRef<NewProjectRun | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const callbacks: RunCallbacks = { setPhase, onDone, onUndone };
  const refresh = () => cache.invalidateQueries({ queryKey: PROJECTS_KEY });

  const go = async (draft: NewProjectDraft, file: File) => {
    run.current ??= newProjectRun(submissionOf(draft), unfinished?._id ?? null);
    abort.current = new AbortController();
    const canContinue = await follow(run.current, file, abort.current.signal, callbacks);
    if (!canContinue) run.current = null;
    await refresh();
  };
  const undo = async () => {
    if (run.current === null) return onUndone();
    await undoRun(run.current, callbacks);
    return refresh();
  };
  return { phase, start: (draft, file) => void go(draft, file), cancel: () => abort.current?.abort(), undo: () => void undo() };
}
