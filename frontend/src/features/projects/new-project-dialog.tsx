import type { ListedProject, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { ApiProblem, errorMessage } from '../../shared/api/api-errors';
import { AUDIO_ACCEPT, audioFileProblem, audioHint } from '../../shared/files/audio-file';
import { useBriefError, useBriefly } from '../../shared/hooks/use-brief-error';
import { useSiteLimits } from '../../shared/site/site.queries';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { DropZone } from '../../shared/ui/drop-zone';
import { bytesProblem, projectProblem, useQuota } from '../../shared/uploads/quota';
import { draftErrors, type NewProjectDraft } from './new-project-draft';
import { NewProjectFields } from './new-project-form';
import { NewProjectStatus } from './new-project-status';
import { useNewProject, type Phase } from './use-new-project';

interface NewProjectDialogProps {
  readonly user: SelfView;
  /** A project without its first version, to continue; null for a new project. */
  readonly unfinished: ListedProject | null;
  readonly draft: NewProjectDraft;
  readonly onDraft: (change: Partial<NewProjectDraft>) => void;
  readonly onClose: () => void;
  readonly onDone: (project: ProjectView) => void;
}

/** Errors about the file's content are shown at the file field. */
const refusalOfFile = (phase: Phase): ApiProblem | null =>
  phase.at === 'failed' && phase.error instanceof ApiProblem && phase.error.problem.code.startsWith('upload.') ? phase.error : null;

/** Counts submit attempts; each focuses the first invalid field. */
function useSubmitAttempts() {
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return { form, hasSubmitted: attempts > 0, countAttempt: () => setAttempts((count) => count + 1) };
}

interface DialogFooterProps {
  readonly phase: Phase;
  readonly formId: string;
  readonly isContinued: boolean;
  readonly onClose: () => void;
  readonly onCancel: () => void;
  readonly onUndo: () => void;
}

function DialogFooter({ phase, formId, isContinued, onClose, onCancel, onUndo }: DialogFooterProps) {
  const running = phase.at === 'running';
  const canUndo = phase.at === 'failed' && phase.isCreated && !isContinued;
  return (
    <>
      {canUndo && (
        <Button variant="danger-quiet" onPress={onUndo}>
          Discard project
        </Button>
      )}
      <Button variant="quiet" onPress={running ? onCancel : onClose} isDisabled={phase.at === 'undoing'}>
        {running ? 'Stop' : phase.at === 'failed' && phase.isCreated ? 'Later' : 'Cancel'}
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={running} isDisabled={phase.at === 'undoing'}>
        {running ? 'Creating' : phase.at === 'failed' ? 'Retry' : isContinued ? 'Upload' : 'Create Project'}
      </Button>
    </>
  );
}

/** Creates a project with its first version in four steps, and continues after a failure. */
export function NewProjectDialog({ user, unfinished, draft, onDraft, onClose, onDone }: NewProjectDialogProps) {
  const formId = useId();
  const { file } = draft;
  const { form, hasSubmitted, countAttempt } = useSubmitAttempts();
  const [sentFile, setSentFile] = useState<File | null>(null);
  const [fileError, setFileError] = useBriefError();
  const { phase, start, cancel, discard, undo } = useNewProject(unfinished, onDone, onClose);
  const running = phase.at === 'running';
  const refusal = useBriefly(file === sentFile ? refusalOfFile(phase) : null);
  const quota = useQuota();
  const limits = useSiteLimits();
  const full = unfinished === null ? projectProblem(quota) : null;
  const errors = draftErrors(unfinished === null ? draft : { ...draft, title: unfinished.projectName });

  const choose = (chosen: File) => {
    const problem = audioFileProblem(chosen, limits) ?? bytesProblem(quota, chosen.size);
    setFileError(problem);
    if (problem === null) onDraft({ file: chosen });
  };
  const send = () => {
    if (running || phase.at === 'undoing') return;
    countAttempt();
    const tooLarge = file === null ? null : bytesProblem(quota, file.size);
    setFileError(errors.file ?? tooLarge);
    if (Object.keys(errors).length > 0 || file === null || full !== null || tooLarge !== null) return;
    setSentFile(file);
    start(draft, file);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const leave = () => {
    discard();
    onClose();
  };
  const close = running ? cancel : leave;
  return (
    <Dialog
      title={unfinished === null ? 'New Project' : unfinished.projectName}
      isOpen
      onClose={close}
      footer={<DialogFooter phase={phase} formId={formId} isContinued={unfinished !== null} onClose={leave} onCancel={cancel} onUndo={undo} />}
    >
      <form ref={form} id={formId} className="stack" onSubmit={submit} noValidate>
        <NewProjectFields
          draft={draft}
          onChange={onDraft}
          errors={hasSubmitted ? errors : {}}
          isLocked={phase.at !== 'editing'}
          onSubmit={send}
          viewer={user.uid}
          isContinued={unfinished !== null}
        />
        <DropZone
          label="Audio file"
          hint={audioHint(limits)}
          accept={[AUDIO_ACCEPT]}
          file={file ?? undefined}
          onChoose={choose}
          error={fileError ?? (refusal === null ? undefined : errorMessage(refusal))}
          {...(running ? { sent: phase.sent } : {})}
        />
        {full !== null && <Banner tone="bad">{full}</Banner>}
        {refusalOfFile(phase) === null && <NewProjectStatus phase={phase} size={file?.size ?? 0} />}
      </form>
    </Dialog>
  );
}
