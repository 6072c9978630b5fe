import { isAbort } from '../api/api-errors';
import { guardUnload } from '../api/unload-guard';
import type { UploadOptions } from '../api/upload';
import { createStore, type Store } from '../hooks/store';

export type UploadStep = 'creating' | 'uploading' | 'reading' | 'finishing';

export type UploadStatus =
  | { readonly at: 'running'; readonly step: UploadStep; readonly sent: number; readonly startedAt: number; readonly repeat: number }
  /** `error` is null after a cancel. */
  | { readonly at: 'failed'; readonly error: unknown }
  | { readonly at: 'done'; readonly link: UploadLink };

/** Where to find what was uploaded. */
export interface UploadLink {
  readonly href: string;
  readonly label: string;
}

export type UploadReport = Required<Pick<UploadOptions, 'onProgress' | 'onRepeat'>> & {
  readonly onStep: (step: UploadStep) => void;
  readonly signal: AbortSignal;
};

/** Uploads a file and uses it. A second call continues after a failure. */
export type UploadTask = (report: UploadReport) => Promise<UploadLink>;

/** An upload with the commands around it. It goes on when the page that started it is left for another. */
export interface UploadJob {
  readonly id: number;
  readonly file: Pick<File, 'name' | 'size'>;
  readonly status: UploadStatus;
  /** True while the dialog that started it is open and shows it. */
  readonly isAttended: boolean;
}

/** The uploads of one user in this tab. */
export interface Uploads {
  readonly jobs: Store<readonly UploadJob[]>;
  /** @returns the id of the new job */
  readonly run: (file: File, task: UploadTask) => number;
  /** Continues a failed job. */
  readonly retry: (id: number) => void;
  readonly cancel: (id: number) => void;
  /** Cancels a job and forgets it. */
  readonly drop: (id: number) => void;
  /** @returns a function that ends this */
  readonly attend: (id: number) => () => void;
  readonly dropAll: () => void;
}

interface Work {
  readonly file: File;
  readonly task: UploadTask;
  controller: AbortController;
}

const started = (): UploadStatus => ({ at: 'running', step: 'uploading', sent: 0, startedAt: Date.now(), repeat: 0 });

function createJobList() {
  const jobs = createStore<readonly UploadJob[]>([]);
  const change = (id: number, changes: (job: UploadJob) => Partial<UploadJob>) =>
    jobs.set(jobs.get().map((job) => (job.id === id ? { ...job, ...changes(job) } : job)));
  return {
    jobs,
    change,
    setStatus: (id: number, status: UploadStatus) => change(id, () => ({ status })),
    progress: (id: number, changes: Partial<Extract<UploadStatus, { at: 'running' }>>) =>
      change(id, ({ status }) => (status.at === 'running' ? { status: { ...status, ...changes } } : {})),
  };
}

async function perform({ setStatus, progress }: ReturnType<typeof createJobList>, id: number, { file, task, controller: { signal } }: Work): Promise<void> {
  const release = guardUnload();
  const report: UploadReport = {
    signal,
    onStep: (step) => progress(id, { step, sent: step === 'creating' || step === 'uploading' ? 0 : file.size, startedAt: Date.now() }),
    onProgress: (sent) => progress(id, { sent }),
    onRepeat: (repeat) => progress(id, { repeat, startedAt: Date.now() }),
  };
  setStatus(id, started());
  try {
    setStatus(id, { at: 'done', link: await task(report) });
  } catch (error) {
    setStatus(id, { at: 'failed', error: isAbort(error) ? null : error });
  } finally {
    release();
  }
}

export function createUploads(): Uploads {
  const list = createJobList();
  const { jobs, change } = list;
  const works = new Map<number, Work>();
  let lastId = 0;
  const drop = (id: number) => {
    works.get(id)?.controller.abort();
    works.delete(id);
    jobs.set(jobs.get().filter((job) => job.id !== id));
  };
  return {
    jobs,
    run: (file, task) => {
      lastId += 1;
      const work: Work = { file, task, controller: new AbortController() };
      works.set(lastId, work);
      jobs.set([...jobs.get(), { id: lastId, file, status: started(), isAttended: true }]);
      void perform(list, lastId, work);
      return lastId;
    },
    retry: (id) => {
      const work = works.get(id);
      if (work === undefined || jobs.get().find((job) => job.id === id)?.status.at !== 'failed') return;
      work.controller = new AbortController();
      void perform(list, id, work);
    },
    cancel: (id) => works.get(id)?.controller.abort(),
    drop,
    attend: (id) => {
      change(id, () => ({ isAttended: true }));
      return () => change(id, () => ({ isAttended: false }));
    },
    dropAll: () => {
      for (const { id } of jobs.get()) drop(id);
    },
  };
}
