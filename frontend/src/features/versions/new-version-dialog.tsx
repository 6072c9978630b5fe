import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { nextNumber, versionNumber, type UpdateType, type VersionNumber } from '@roughmix/contracts/shared/versions.js';
import { useId, useState, type SubmitEvent } from 'react';
import { ApiProblem, errorMessage } from '../../shared/api/api-errors';
import { AUDIO_ACCEPT, audioFileProblem } from '../../shared/files/audio-file';
import { useSiteLimits } from '../../shared/site/site.queries';
import { useBriefError, useBriefly } from '../../shared/hooks/use-brief-error';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { DropZone } from '../../shared/ui/drop-zone';
import { Segmented } from '../../shared/ui/segmented';
import { bytesProblem, useQuota, versionProblem } from '../../shared/uploads/quota';
import { uploadText } from '../../shared/uploads/upload-text';
import { MentionBox, type MentionBoxProps } from '../../shared/writing/mention-box';
import type { Mentionable } from '../../shared/writing/mention-search';
import { tinySummaryOf } from '../../shared/writing/tiny-summary';
import { chosenFileProblem, pickerHint } from './new-version-file';
import type { Purpose, VersionAdded } from './new-version-upload';
import { useNewVersion, type VersionUpload } from './use-new-version';
import './versions.css';

export interface NewVersionDialogProps {
  readonly projectId: Id;
  readonly purpose: Purpose;
  readonly versions: readonly VersionView[];
  /** The highest number when the project was loaded, including removed versions. */
  readonly highestVersion: VersionNumber | null;
  /** Whom the summary can mention. */
  readonly people: readonly Mentionable[];
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

type SummaryFieldProps = Required<Pick<MentionBoxProps, 'people' | 'value' | 'error' | 'isDisabled' | 'onChange' | 'onSubmit'>> & { readonly purpose: Purpose };

const SummaryField = ({ purpose, ...box }: SummaryFieldProps) => (
  <MentionBox
    label="Tiny summary"
    isOneLine
    limit={LIMITS.tinySummary}
    autoFocus
    placeholder={purpose.kind === 'first' ? 'Initial Version' : 'Vocal up, less room'}
    {...box}
  />
);

/** A cancel is no failure. */
const hasFailed = ({ status }: VersionUpload): boolean => status?.at === 'failed' && status.error !== null;

const refusalIn = (error: unknown): ApiProblem | null => (error instanceof ApiProblem && error.problem.status < 500 ? error : null);

/** What the server refused reverts like the form's own checks; a failure of the server or of the network stays until the next try. */
function UploadLine({ status, size }: Pick<VersionUpload, 'status'> & { readonly size: number }) {
  const error = status?.at === 'failed' ? status.error : null;
  const refusal = useBriefly(refusalIn(error));
  if (status === null) return null;
  if (status.at === 'failed') {
    const shown = refusalIn(error) === null ? error : refusal;
    return shown !== null && <Banner tone="bad">{errorMessage(shown)}</Banner>;
  }
  return (
    <p className="meta" role="status">
      {uploadText(status, size)}
    </p>
  );
}

function Footer({ upload, formId, onLeave }: { readonly upload: VersionUpload; readonly formId: string; readonly onLeave: () => void }) {
  const isSending = upload.status?.at === 'running';
  return (
    <>
      <Button variant="quiet" onPress={isSending ? upload.cancel : onLeave}>
        {isSending ? 'Stop' : 'Cancel'}
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={isSending}>
        {isSending ? 'Uploading' : hasFailed(upload) ? 'Retry' : 'Upload'}
      </Button>
    </>
  );
}

const titleOf = (purpose: Purpose) =>
  purpose.kind === 'replace' ? `New file for ${versionNumber(purpose.version)}` : purpose.kind === 'first' ? 'First Version' : 'New Version';

/** Form for a new version: summary, number and file. */
export function NewVersionDialog({ projectId, purpose, versions, highestVersion, people, onClose, onAdded }: NewVersionDialogProps) {
  const formId = useId();
  const [updateType, setUpdateType] = useState<UpdateType>('minor');
  const [summary, setSummary] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [summaryError, setSummaryError] = useBriefError();
  const [fileError, setFileError] = useBriefError();
  const quota = useQuota();
  const limits = useSiteLimits();
  const upload = useNewVersion(onAdded);
  const isSending = upload.status?.at === 'running';
  const close = () => {
    upload.discard();
    onClose();
  };

  const full = purpose.kind === 'next' ? versionProblem(quota, versions.length) : null;
  const choose = (chosen: File) => {
    const problem = chosenFileProblem(chosen, limits) ?? bytesProblem(quota, chosen.size);
    setFileError(problem);
    if (problem === null) setFile(chosen);
  };
  const send = () => {
    if (isSending) return;
    const { sent: tinySummary, problem: tooLong } = tinySummaryOf(summary, people);
    const problem = tooLong ?? (purpose.kind === 'next' && tinySummary === '' ? NO_SUMMARY : null);
    const fileProblem = file === null ? NO_FILE : (full ?? audioFileProblem(file, limits) ?? bytesProblem(quota, file.size));
    setSummaryError(problem);
    setFileError(fileProblem);
    if (problem === null && fileProblem === null && file !== null) upload.start(file, { projectId, purpose, tinySummary, updateType });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <Dialog title={titleOf(purpose)} isOpen onClose={isSending ? () => undefined : close} footer={<Footer upload={upload} formId={formId} onLeave={close} />}>
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
          <SummaryField
            purpose={purpose}
            people={people}
            value={summary}
            error={summaryError}
            isDisabled={isSending}
            onChange={(typed) => {
              setSummary(typed);
              setSummaryError(null);
            }}
            onSubmit={send}
          />
        )}
        <DropZone
          label="Audio file"
          hint={pickerHint(limits)}
          accept={[AUDIO_ACCEPT]}
          file={file ?? undefined}
          onChoose={choose}
          error={fileError ?? undefined}
          {...(upload.status?.at === 'running' ? { sent: upload.status.sent } : {})}
        />
        {full !== null && <Banner tone="bad">{full}</Banner>}
        <UploadLine status={upload.status} size={file?.size ?? 0} />
      </form>
    </Dialog>
  );
}
