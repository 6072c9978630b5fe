import { useEffect, useRef, useState } from 'react';
import { useStore } from '../hooks/store';
import { useStableCallback } from '../hooks/use-stable-callback';
import type { UploadLink, UploadReport, UploadStatus } from './upload-jobs';
import { useUploads } from './uploads-provider';

export interface AttendedUpload<Result> {
  /** Null before the first start. */
  readonly status: Exclude<UploadStatus, { at: 'done' }> | null;
  /** Starts an upload, or another one after a failure. */
  readonly start: (file: File, task: (report: UploadReport) => Promise<Result>) => void;
  readonly cancel: () => void;
  /** Cancels and forgets the upload, because the user closed the dialog. */
  readonly discard: () => void;
}

/**
 * The upload of a dialog. If the page is left meanwhile it goes on in the list of uploads, with a link once it is done.
 * @param onDone called only while the dialog is open
 */
export function useUpload<Result>(linkTo: (result: Result) => UploadLink, onDone: (result: Result) => void): AttendedUpload<Result> {
  const uploads = useUploads();
  const [id, setId] = useState<number | null>(null);
  const results = useRef(new Map<number, Result>());
  const status = useStore(uploads.jobs, (jobs) => jobs.find((job) => job.id === id)?.status ?? null);
  const isDone = status?.at === 'done';
  const finish = useStableCallback((done: number) => {
    const result = results.current.get(done);
    uploads.drop(done);
    if (result !== undefined) onDone(result);
  });

  useEffect(() => (id === null ? undefined : uploads.attend(id)), [uploads, id]);
  useEffect(() => {
    if (id !== null && isDone) finish(id);
  }, [id, isDone, finish]);

  const discard = () => {
    if (id !== null) uploads.drop(id);
    setId(null);
  };
  return {
    status: status?.at === 'done' ? null : status,
    start: (file, task) => {
      discard();
      const next = uploads.run(file, async (report) => {
        const result = await task(report);
        results.current.set(next, result);
        return linkTo(result);
      });
      setId(next);
    },
    cancel: () => {
      if (id !== null) uploads.cancel(id);
    },
    discard,
  };
}
