import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { UpdateType } from '@roughmix/contracts/shared/versions.js';
import { VERSION_PATHS } from '@roughmix/contracts/versions/version.paths.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { ApiProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { newCommandId } from '../../shared/api/own-commands';
import { uploadFile, type Uploaded, type UploadOptions } from '../../shared/api/upload';

/** What a file becomes: the project's first version, one more, or the file of a version that was refused. */
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

/** The using call, by what the file becomes. */
function callOf({ projectId, purpose, tinySummary, updateType }: NewVersion, uploadId: Id) {
  if (purpose.kind === 'replace') return { method: 'PUT', path: VERSION_PATHS.one(purpose.version._id), body: { projectId, uploadId } } as const;
  if (purpose.kind === 'first') return { method: 'POST', path: VERSION_PATHS.first, body: { initialVersion: { projectId, uploadId, tinySummary } } } as const;
  return { method: 'POST', path: VERSION_PATHS.add, body: { submission: { projectId, uploadId, tinySummary, updateType } } } as const;
}

/** Sends files as versions. What was uploaded once is not sent again when the last step has to be tried once more. */
export function newVersionRun() {
  let sent: Sent | null = null;

  const upload = async (file: File, { projectId, purpose }: NewVersion, options: UploadOptions): Promise<Sent> => {
    if (sent?.file === file) return sent;
    const target = { purpose: 'version', projectId, ...(purpose.kind === 'replace' ? { versionId: purpose.version._id } : {}) } as const;
    sent = { file, uploaded: await uploadFile(file, target, options), key: newCommandId() };
    return sent;
  };

  return async (file: File, wish: NewVersion, options: UploadOptions): Promise<VersionAdded> => {
    const { uploaded, key } = await upload(file, wish, options);
    const { method, path, body } = callOf(wish, uploaded.uploadId);
    try {
      return (await api.send<VersionAdded>(method, path, body, { commandId: key, signal: options.signal, wantsProject: true })).answer;
    } catch (error) {
      // A refused upload is gone from the server, and another summary under the same key would be another command.
      if (error instanceof ApiProblem && error.problem.status < 500) sent = null;
      throw error;
    }
  };
}
