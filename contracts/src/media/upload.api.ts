import { IsIn, IsInt, IsString, Min } from 'class-validator';
import { Filename, IdField, MaxLength, Optional } from '../shared/body.js';
import type { Id, Instant } from '../shared/ids.js';

const PURPOSES = ['version', 'comment-image', 'profile-photo', 'cover-photo'] as const;
export type UploadPurpose = (typeof PURPOSES)[number];

/** POST /api/storage/uploads: asks where to upload one file. `versionId` is the rejected version whose file it replaces. Pictures of a profile name no project. */
export class NewUploadBody {
  @IsIn(PURPOSES)
  purpose: UploadPurpose;
  @Filename()
  filename: string;
  @IsString()
  @MaxLength(200)
  contentType: string;
  @IsInt()
  @Min(0)
  size: number;
  @Optional()
  @IdField()
  projectId?: string;
  @Optional()
  @IdField()
  versionId?: string;
  @Optional()
  @IdField()
  commentId?: string;
}

/** Where the bytes go, with exactly these headers, within 60 minutes. `versionId` is the id the version will have, null for an image. */
export interface NewUploadAnswer {
  readonly uploadId: Id;
  readonly versionId: Id | null;
  readonly url: string;
  readonly method: 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: Instant;
}
