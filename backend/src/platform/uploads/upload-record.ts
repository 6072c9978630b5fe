import type { UploadPurpose } from '@roughmix/contracts/media/upload.api.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';

/** The vault's collection of uploads. */
export const UPLOADS = 'uploads';

/** What a file was announced for. */
export type UploadRequest = {
  readonly uid: Uid;
  readonly purpose: UploadPurpose;
  readonly projectId: Id;
  /** For a version the id it will have; null for an image. */
  readonly versionId: Id | null;
  readonly commentId: Id | null;
  readonly filename: string;
  readonly size: number;
};

/** An upload as the vault keeps it until its file is used or swept. */
export type UploadRecord = UploadRequest & {
  readonly place: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** open: nothing came yet, as far as is known; filling: bytes are coming; filled: all are there; closed: given up for newer ones. On S3 it stays open. */
  readonly state: 'open' | 'filling' | 'filled' | 'closed';
  /** Every place that the file, or what is made of it, was or is about to be brought to, the newest last: what an event does not name is swept. */
  readonly places: readonly string[];
};
