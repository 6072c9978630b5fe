import { X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../shared/api/api-errors';
import { formatBytesDone } from '../../shared/format/bytes';
import { useStore } from '../../shared/hooks/store';
import { Button } from '../../shared/ui/button';
import { FieldError } from '../../shared/ui/field';
import { IconButton } from '../../shared/ui/icon-button';
import { ProgressBar } from '../../shared/ui/progress-bar';
import type { UploadJob, Uploads } from '../../shared/uploads/upload-jobs';
import { uploadText } from '../../shared/uploads/upload-text';
import { useUploads } from '../../shared/uploads/uploads-provider';
import styles from './upload-list.module.css';

interface RowProps {
  readonly job: UploadJob;
  readonly uploads: Uploads;
}

function Status({ job: { id, file, status }, uploads }: RowProps) {
  if (status.at === 'done') {
    return (
      <p className="meta" role="status">
        Uploaded.{' '}
        <Link to={status.link.href} onClick={() => uploads.drop(id)}>
          Open {status.link.label}
        </Link>
      </p>
    );
  }
  if (status.at === 'failed') return status.error === null ? <p className="meta">Stopped</p> : <FieldError>{errorMessage(status.error)}</FieldError>;
  return (
    <>
      <ProgressBar label={`Uploading ${file.name}`} done={status.step === 'uploading' ? status.sent / file.size : undefined} />
      <p className="meta">{uploadText(status, file.size)}</p>
    </>
  );
}

function Row({ job, uploads }: RowProps) {
  const { id, file, status } = job;
  const isRunning = status.at === 'running';
  return (
    <li className={styles.upload}>
      <span className="flex">
        <b className="grow cut">{file.name}</b>
        {isRunning && status.step === 'uploading' && <span className="meta num">{formatBytesDone(status.sent, file.size)}</span>}
        {status.at === 'failed' && (
          <Button size="s" onPress={() => uploads.retry(id)}>
            Retry
          </Button>
        )}
        {isRunning ? (
          <Button size="s" variant="quiet" onPress={() => uploads.drop(id)}>
            Cancel
          </Button>
        ) : (
          <IconButton label="Dismiss" icon={X} iconSize={14} size="s" onPress={() => uploads.drop(id)} />
        )}
      </span>
      <Status job={job} uploads={uploads} />
    </li>
  );
}

/** The uploads that go on after their dialog was left. */
export function UploadList() {
  const uploads = useUploads();
  const jobs = useStore(uploads.jobs, (all) => all);
  const shown = jobs.filter(({ isAttended }) => !isAttended);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Uploads" className={styles.uploads}>
      <ul>
        {shown.map((job) => (
          <Row key={job.id} job={job} uploads={uploads} />
        ))}
      </ul>
    </section>
  );
}
