import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../kernel/refusal.js';
import { UploadNames } from '../platform/uploads/upload-names.js';
import type { UploadRequest } from '../platform/uploads/upload-record.js';
import { uploadKey, type Uploads } from '../platform/uploads/uploads.js';
import type { TestStores } from './test-stores.js';

export const UPLOAD_REQUEST: UploadRequest = {
  uid: 'ana',
  purpose: 'version',
  projectId: 'p1',
  versionId: 'v1',
  commentId: null,
  filename: 'a.wav',
  size: 4,
};

export const UPLOAD_NAMES = new UploadNames(Buffer.alloc(32, 7));

interface UploadsOnStores {
  readonly stores: TestStores;
  readonly uploads: Uploads;
}

/** Announces an upload a millisecond after the last one. @returns its id */
export async function announced({ stores, uploads }: UploadsOnStores, facts: Partial<UploadRequest> = {}): Promise<string> {
  stores.time.now += 1;
  return (await uploads.announce({ ...UPLOAD_REQUEST, ...facts })).uploadId;
}

/** Announces an upload and stores its file. @returns its id */
export async function filled(on: UploadsOnStores, facts: Partial<UploadRequest> = {}): Promise<string> {
  const uploadId = await announced(on, facts);
  await on.uploads.mark(uploadId, 'filling');
  await on.stores.blobs.write(uploadKey(uploadId), Buffer.from('RIFF'));
  await on.uploads.mark(uploadId, 'filled');
  return uploadId;
}

/** The code of a refusal. @throws what else `work` throws */
export const refusalOf = (work: Promise<unknown>): Promise<ProblemCode | 'accepted'> =>
  work.then(
    () => 'accepted' as const,
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );
