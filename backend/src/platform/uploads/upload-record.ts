import type { UploadPurpose } from '@roughmix/contracts/media/upload.api.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';

/** The vault's collection of uploads. */
export const UPLOADS = 'uploads';

/** What was announced: a file and its use. */
export type UploadRequest = {
  readonly uid: Uid;
  readonly purpose: UploadPurpose;
  /** Null for the pictures of a profile. */
  readonly projectId: Id | null;
  /** The id of the future version; null for an image. */
  readonly versionId: Id | null;
  readonly commentId: Id | null;
  readonly filename: string;
  readonly size: number;
};

/** A stored upload, removed once its file is used or swept. */
export type UploadRecord = Omit<UploadRequest, 'filename'> & {
  /** The file name, sealed. Missing in the records of earlier versions; empty once it was discarded. */
  readonly sealedName?: string;
  /** In the records of earlier versions. */
  readonly filename?: string;
  /** Its group, see UploadSlots. */
  readonly place: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** open: no bytes yet; filling: bytes are arriving; filled: complete; closed: not accepted any more. With S3, whose PUTs this server does not see, it stays open. */
  readonly state: 'open' | 'filling' | 'filled' | 'closed';
  /** Every key to which the file, or a file made from it, was or will be moved, the newest last. The sweep deletes those that no event names. */
  readonly places: readonly string[];
};
