import type { NewProjectBody, NewProjectSubmission } from '@roughmix/contracts/projects/project.api.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { NewProjectAnswer, ProjectRemovedAnswer, ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Minimal } from '@roughmix/contracts/shared/answers.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { ConfirmVersionBody, InitialVersionBody } from '@roughmix/contracts/versions/version.api.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import { type VersionAnswer, versionUrl } from '@roughmix/contracts/versions/version.view.js';
import { ApiProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { newCommandId } from '../../shared/api/own-commands';
import { uploadFile, type Uploaded } from '../../shared/api/upload';
import type { UploadReport } from '../../shared/uploads/upload-jobs';

/** Creates a project step by step. A retry continues at the failed step, with the same idempotency keys. */
export interface NewProjectRun {
  /** Runs the remaining steps. A different file is uploaded again. */
  readonly go: (file: File, report: UploadReport) => Promise<ProjectView>;
  /** Removes the unfinished project. */
  readonly undo: () => Promise<void>;
  /** True once the project exists on the server. */
  readonly isCreated: () => boolean;
}

interface Progress {
  projectId: Id | null;
  upload: (Uploaded & { readonly file: File; readonly key: string }) | null;
  version: Minimal<VersionAnswer> | null;
}

async function create(done: Progress, submission: NewProjectSubmission, key: string, { signal }: UploadReport): Promise<Id> {
  if (done.projectId !== null) return done.projectId;
  const body: NewProjectBody = { submission };
  const { answer } = await api.send<NewProjectAnswer>('POST', PROJECT_PATHS.create, body, { commandId: key, signal });
  done.projectId = answer.newProject._id;
  return done.projectId;
}

async function upload(done: Progress, file: File, projectId: Id, report: UploadReport): Promise<NonNullable<Progress['upload']>> {
  if (done.upload?.file === file) return done.upload;
  const uploaded = await uploadFile(file, { purpose: 'version', projectId }, report);
  done.upload = { ...uploaded, file, key: newCommandId() };
  return done.upload;
}

/** The server deletes a refused upload, so a retry uploads the file again. */
async function addVersion(
  done: Progress,
  uploaded: NonNullable<Progress['upload']>,
  fields: Pick<InitialVersionBody['initialVersion'], 'projectId' | 'tinySummary'>,
  { signal }: UploadReport,
): Promise<Minimal<VersionAnswer>> {
  if (done.version !== null) return done.version;
  const body: InitialVersionBody = { initialVersion: { ...fields, uploadId: uploaded.uploadId } };
  try {
    done.version = (await api.send<VersionAnswer>('POST', VERSION_PATHS.first, body, { commandId: uploaded.key, signal })).answer;
    return done.version;
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status < 500) done.upload = null;
    throw error;
  }
}

/** Creates a project, or continues one without its first version (`unfinished`). */
export function newProjectRun(submission: NewProjectSubmission, unfinished: Id | null = null): NewProjectRun {
  const done: Progress = { projectId: unfinished, upload: null, version: null };
  const keys = { create: newCommandId(), confirm: newCommandId(), remove: newCommandId() };
  const tinySummary = submission.tinySummary === undefined ? {} : { tinySummary: submission.tinySummary };
  return {
    isCreated: () => done.projectId !== null,
    go: async (file, report) => {
      report.onStep('creating');
      const projectId = await create(done, submission, keys.create, report);
      report.onStep('uploading');
      const uploaded = await upload(done, file, projectId, report);
      report.onStep('reading');
      const { version } = await addVersion(done, uploaded, { projectId, ...tinySummary }, report);
      report.onStep('finishing');
      const body: ConfirmVersionBody = { versionId: version._id, versionUrl: versionUrl(version._id) };
      return (
        await api.send<VersionAnswer>('PUT', VERSION_PATHS.confirm(projectId), body, { commandId: keys.confirm, signal: report.signal, wantsProject: true })
      ).answer.updatedProject;
    },
    undo: async () => {
      if (done.projectId !== null) await api.send<ProjectRemovedAnswer>('POST', PROJECT_PATHS.remove(done.projectId), {}, { commandId: keys.remove });
    },
  };
}
