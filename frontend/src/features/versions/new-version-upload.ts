import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { UpdateType } from '@roughmix/contracts/shared/versions.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { ApiProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { newCommandId } from '../../shared/api/own-commands';
import { uploadFile, type Uploaded } from '../../shared/api/upload';
import type { UploadReport } from '../../shared/uploads/upload-jobs';

/** What the file is for: the project's first version, a further one, or the replacement of a rejected file. */
export type Purpose = { readonly kind: 'first' } | { readonly kind: 'next' } | { readonly kind: 'replace'; readonly version: VersionView };

export interface NewVersion {
  readonly projectId: Id;
  readonly purpose: Purpose;
  readonly tinySummary: string;
  readonly updateType: UpdateType;
}

export interface VersionAdded {
  readonly version: VersionView;
  readonly updatedProject: ProjectView;
}

interface Sent {
  readonly file: File;
  readonly uploaded: Uploaded;
  readonly key: string;
}

/** The request that uses the upload. */
function requestOf({ projectId, purpose, tinySummary, updateType }: NewVersion, uploadId: Id) {
  if (purpose.kind === 'replace') return { method: 'PUT', path: VERSION_PATHS.one(purpose.version._id), body: { projectId, uploadId } } as const;
  if (purpose.kind === 'first') return { method: 'POST', path: VERSION_PATHS.first, body: { initialVersion: { projectId, uploadId, tinySummary } } } as const;
  return { method: 'POST', path: VERSION_PATHS.add, body: { submission: { projectId, uploadId, tinySummary, updateType } } } as const;
}

/** Uploads a file and adds it as a version. A retry does not upload the same file twice. */
export function newVersionUpload() {
  let sent: Sent | null = null;

  const upload = async (file: File, { projectId, purpose }: NewVersion, report: UploadReport): Promise<Sent> => {
    if (sent?.file === file) return sent;
    const target = { purpose: 'version', projectId, ...(purpose.kind === 'replace' ? { versionId: purpose.version._id } : {}) } as const;
    report.onStep('uploading');
    sent = { file, uploaded: await uploadFile(file, target, report), key: newCommandId() };
    return sent;
  };

  return async (file: File, request: NewVersion, report: UploadReport): Promise<VersionAdded> => {
    const { uploaded, key } = await upload(file, request, report);
    report.onStep('reading');
    const { method, path, body } = requestOf(request, uploaded.uploadId);
    try {
      return (await api.send<VersionAdded>(method, path, body, { commandId: key, signal: report.signal, wantsProject: true })).answer;
    } catch (error) {
      // The server deletes a refused upload, and a changed request needs a new idempotency key.
      if (error instanceof ApiProblem && error.problem.status < 500) sent = null;
      throw error;
    }
  };
}
