import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { nextNumber, versionNumber, type UpdateType, type VersionNumber } from '@roughmix/contracts/shared/versions.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useId, useState, type SubmitEvent } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { AUDIO_ACCEPT } from '../../shared/files/audio-file';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { DropZone } from '../../shared/ui/drop-zone';
import { Segmented } from '../../shared/ui/segmented';
import { TextField } from '../../shared/ui/text-field';
import { uploadText } from '../../shared/uploads/upload-text';
import { chosenFileProblem, submittedFileProblem } from './new-version-file';
import type { Purpose, VersionAdded } from './new-version-upload';
import { useBriefError } from './use-brief-error';
import { useNewVersion, type VersionUpload } from './use-new-version';
import './versions.css';

export interface NewVersionDialogProps {
  readonly projectId: Id;
  readonly purpose: Purpose;
  readonly versions: readonly VersionView[];
  /** The highest number when the project was loaded, including removed versions. */
  readonly highestVersion: VersionNumber | null;
  readonly onClose: () => void;
  readonly onAdded: (added: VersionAdded) => void;
}

const TYPES = [
  { id: 'minor', label: 'Minor' },
  { id: 'major', label: 'Major' },
] as const;
const NO_SUMMARY = 'Describe what is new';
const NO_FILE = 'Choose an audio file';

const highestOf = (numbers: readonly VersionNumber[]): VersionNumber | null =>
  numbers.toSorted((a, b) => a.majorUpdate - b.majorUpdate || a.minorUpdate - b.minorUpdate).at(-1) ?? null;

function UpdateTypeField({
  current,
  highest,
  value,
  onChange,
}: {
  readonly current: VersionNumber | null;
  readonly highest: VersionNumber | null;
  readonly value: UpdateType;
  readonly onChange: (type: UpdateType) => void;
}) {
  const next = nextNumber(highest === null ? null : { major: highest.majorUpdate, minor: highest.minorUpdate }, value);
  return (
    <div className="stack update-type">
      <span className="field-label">Update Type</span>
      <div className="flex">
        <Segmented label="Update Type" options={TYPES} value={value} onChange={onChange} />
        <span className="meta becomes" role="status">
          {current === null ? 'It becomes ' : `${versionNumber(current)} becomes `}
          <b>
            {next.major}.{next.minor}
          </b>
        </span>
      </div>
    </div>
  );
}

/** Validation errors per field; null for none. */
function formErrors(summary: string, file: File | null, purpose: Purpose): { readonly summary: string | null; readonly file: string | null } {
  const typed = summary.trim();
  const needsSummary = purpose.kind === 'next';
  const ofSummary = typed.length > LIMITS.tinySummary ? detailOf('limit.tinySummary') : needsSummary && typed === '' ? NO_SUMMARY : null;
  return { summary: ofSummary, file: file === null ? NO_FILE : submittedFileProblem(file) };
}

/** A cancel is no failure. */
const hasFailed = ({ status }: VersionUpload): boolean => status?.at === 'failed' && status.error !== null;

function UploadLine({ status, size }: Pick<VersionUpload, 'status'> & { readonly size: number }) {
  if (status === null) return null;
  if (status.at === 'failed') return status.error !== null && <Banner tone="bad">{errorMessage(status.error)}</Banner>;
  return (
    <p className="meta" role="status">
      {uploadText(status, size)}
    </p>
  );
}

const titleOf = (purpose: Purpose) =>
  purpose.kind === 'replace' ? `New file for ${versionNumber(purpose.version)}` : purpose.kind === 'first' ? 'First Version' : 'New Version';

/** Form for a new version: summary, number and file. */
export function NewVersionDialog({ projectId, purpose, versions, highestVersion, onClose, onAdded }: NewVersionDialogProps) {
  const formId = useId();
  const [updateType, setUpdateType] = useState<UpdateType>('minor');
  const [summary, setSummary] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [summaryError, setSummaryError] = useBriefError();
  const [fileError, setFileError] = useBriefError();
  const upload = useNewVersion(onAdded);
  const isSending = upload.status?.at === 'running';
  const close = () => {
    upload.discard();
    onClose();
  };

  const choose = (chosen: File) => {
    const problem = chosenFileProblem(chosen);
    setFileError(problem);
    if (problem === null) setFile(chosen);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const errors = formErrors(summary, file, purpose);
    setSummaryError(errors.summary);
    setFileError(errors.file);
    if (errors.summary === null && errors.file === null && file !== null) upload.start(file, { projectId, purpose, tinySummary: summary.trim(), updateType });
  };
  const footer = (
    <>
      <Button variant="quiet" onPress={isSending ? upload.cancel : close}>
        {isSending ? 'Stop' : 'Cancel'}
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={isSending}>
        {isSending ? 'Uploading' : hasFailed(upload) ? 'Retry' : 'Upload'}
      </Button>
    </>
  );
  return (
    <Dialog title={titleOf(purpose)} isOpen onClose={isSending ? () => undefined : close} footer={footer}>
      <form id={formId} className="stack" onSubmit={submit} noValidate>
        {purpose.kind === 'next' && (
          <UpdateTypeField
            current={highestOf(versions)}
            highest={highestOf([...versions, ...(highestVersion === null ? [] : [highestVersion])])}
            value={updateType}
            onChange={setUpdateType}
          />
        )}
        {purpose.kind !== 'replace' && (
          <TextField
            label="Tiny summary"
            value={summary}
            onChange={(typed) => {
              setSummary(typed);
              setSummaryError(null);
            }}
            limit={LIMITS.tinySummary}
            autoFocus
            placeholder={purpose.kind === 'first' ? 'Initial Version' : 'Vocal up, less room'}
            isDisabled={isSending}
            autoComplete="off"
            {...(summaryError === null ? {} : { error: summaryError })}
          />
        )}
        <DropZone
          label="Audio file"
          hint="audio, at most 30 MB"
          accept={[AUDIO_ACCEPT]}
          file={file ?? undefined}
          onChoose={choose}
          error={fileError ?? undefined}
          {...(upload.status?.at === 'running' ? { sent: upload.status.sent } : {})}
        />
        <UploadLine status={upload.status} size={file?.size ?? 0} />
      </form>
    </Dialog>
  );
}
