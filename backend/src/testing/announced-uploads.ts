import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../kernel/refusal.js';
import { UploadNames } from '../platform/uploads/upload-names.js';
import type { UploadRequest } from '../platform/uploads/upload-record.js';
import { uploadKey, Uploads } from '../platform/uploads/uploads.js';
import { openTestStores, type TestStores } from './test-stores.js';

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

/** Uploads on stores of their own, for one test. */
export class UploadsFixture implements UploadsOnStores {
  private constructor(
    readonly stores: TestStores,
    public uploads: Uploads,
  ) {}

  static async open(): Promise<UploadsFixture> {
    const stores = await openTestStores();
    const uploads = uploadsOf(stores);
    await uploads.declare();
    return new UploadsFixture(stores, uploads);
  }

  /** From now on a file server receives the PUTs. */
  useFileServer(): void {
    Object.assign(this.stores.blobs, { seesPuts: false });
    this.uploads = this.otherProcess();
  }

  otherProcess(): Uploads {
    return uploadsOf(this.stores);
  }

  readonly announce = (facts?: Partial<UploadRequest>): Promise<string> => announced(this, facts);
  readonly uploaded = (facts?: Partial<UploadRequest>): Promise<string> => filled(this, facts);

  close(): Promise<void> {
    return this.stores.close();
  }
}

const uploadsOf = ({ vault, blobs, time }: TestStores): Uploads => new Uploads(vault, blobs, () => time.now, UPLOAD_NAMES);

/** The code of a refusal. @throws what else `work` throws */
export const refusalOf = (work: Promise<unknown>): Promise<ProblemCode | 'accepted'> =>
  work.then(
    () => 'accepted' as const,
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );
