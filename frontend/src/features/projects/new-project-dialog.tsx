import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { ApiProblem, sentenceOf } from '../../shared/api/api-errors';
import { audioFileProblem, AUDIO_ACCEPT } from '../../shared/files/audio-file';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { DropZone } from '../../shared/ui/drop-zone';
import { draftErrors, type NewProjectDraft } from './new-project-draft';
import { NewProjectFields } from './new-project-form';
import { NewProjectStatus } from './new-project-status';
import { isRunning, useNewProject, type Phase } from './use-new-project';

const ERROR_STAYS_MS = 3_000;

interface NewProjectDialogProps {
  readonly user: SelfView;
  /** A project whose first version never came; null for a new one. */
  readonly begun: ListedProject | null;
  readonly draft: NewProjectDraft;
  readonly onDraft: (change: Partial<NewProjectDraft>) => void;
  readonly onClose: () => void;
  readonly onDone: (project: ProjectView) => void;
}

/** A refused choice of file is told for 3 s. */
function useFileError() {
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    if (error === null) return undefined;
    const timer = setTimeout(() => setError(null), ERROR_STAYS_MS);
    return () => clearTimeout(timer);
  }, [error]);
  return [error, setError] as const;
}

/** What the server found in the file itself belongs to the file. */
const refusalOfFile = (phase: Phase): string | null =>
  phase.at === 'broken' && phase.error instanceof ApiProblem && phase.error.problem.code.startsWith('upload.') ? sentenceOf(phase.error) : null;

/** Each try to send counts; what does not fit then has the focus. */
function useTries() {
  const form = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  return { form, isTried: tries > 0, countTry: () => setTries((count) => count + 1) };
}

interface FootProps {
  readonly phase: Phase;
  readonly formId: string;
  readonly isTakenUp: boolean;
  readonly onClose: () => void;
  readonly onCancel: () => void;
  readonly onUndo: () => void;
}

function Foot({ phase, formId, isTakenUp, onClose, onCancel, onUndo }: FootProps) {
  const running = isRunning(phase);
  const canUndo = phase.at === 'broken' && phase.isBegun && !isTakenUp;
  return (
    <>
      {canUndo && (
        <Button variant="danger-quiet" onPress={onUndo}>
          Discard project
        </Button>
      )}
      <Button variant="quiet" onPress={running ? onCancel : onClose} isDisabled={phase.at === 'undoing'}>
        {running ? 'Stop' : phase.at === 'broken' && phase.isBegun ? 'Later' : 'Cancel'}
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={running} isDisabled={phase.at === 'undoing'}>
        {running ? 'Creating' : phase.at === 'broken' ? 'Retry' : isTakenUp ? 'Upload' : 'Create Project'}
      </Button>
    </>
  );
}

/** A new project with its first track: filled in, sent in four steps, taken up again when one of them breaks off. */
export function NewProjectDialog({ user, begun, draft, onDraft, onClose, onDone }: NewProjectDialogProps) {
  const formId = useId();
  const { form, isTried, countTry } = useTries();
  const [sentFile, setSentFile] = useState<File | null>(null);
  const [fileError, setFileError] = useFileError();
  const { phase, start, cancel, undo } = useNewProject(begun, onDone, onClose);
  const running = isRunning(phase);
  const { file } = draft;
  const errors = draftErrors(begun === null ? draft : { ...draft, title: begun.projectName });

  const choose = (chosen: File) => {
    const problem = audioFileProblem(chosen);
    setFileError(problem);
    if (problem === null) onDraft({ file: chosen });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (running || phase.at === 'undoing') return;
    countTry();
    setFileError(errors.file ?? null);
    if (Object.keys(errors).length > 0 || file === null) return;
    setSentFile(file);
    start(draft, file);
  };
  const close = running ? cancel : onClose;
  return (
    <Dialog
      title={begun === null ? 'New Project' : begun.projectName}
      isOpen
      onClose={close}
      footer={<Foot phase={phase} formId={formId} isTakenUp={begun !== null} onClose={onClose} onCancel={cancel} onUndo={undo} />}
    >
      <form ref={form} id={formId} className="stack" onSubmit={submit} noValidate>
        <NewProjectFields
          draft={draft}
          onChange={onDraft}
          errors={isTried ? errors : {}}
          isLocked={phase.at !== 'filling'}
          viewer={user.uid}
          isBegun={begun !== null}
        />
        <DropZone
          label="Audio file"
          hint="audio, smaller than 48 MB"
          accept={[AUDIO_ACCEPT]}
          file={file ?? undefined}
          onChoose={choose}
          error={fileError ?? (file === sentFile ? refusalOfFile(phase) : null) ?? undefined}
          {...(running ? { sent: phase.sent } : {})}
        />
        {refusalOfFile(phase) === null && <NewProjectStatus phase={phase} size={file?.size ?? 0} />}
      </form>
    </Dialog>
  );
}
