import { IsIn, IsString } from 'class-validator';
import { IdField, Line, MaxLength, Nested, Optional } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';
import type { UpdateType } from '../shared/versions.js';

/** The first version of a project; `uploadId` identifies its file. */
export class InitialVersion {
  @IdField()
  projectId: string;
  @Optional()
  @IdField()
  versionId?: string;
  @IdField()
  uploadId: string;
  @Optional()
  @Line(LIMITS.tinySummary, 'limit.tinySummary')
  tinySummary?: string;
}

/** POST /api/media/newProject */
export class InitialVersionBody {
  @Nested(() => InitialVersion)
  initialVersion: InitialVersion;
}

export class NewVersionSubmission {
  @IdField()
  projectId: string;
  @IdField()
  uploadId: string;
  @Line(LIMITS.tinySummary, 'limit.tinySummary')
  tinySummary: string;
  @Optional()
  @IsIn(['minor', 'major'])
  updateType?: UpdateType;
}

/** POST /api/media */
export class NewVersionBody {
  @Nested(() => NewVersionSubmission)
  submission: NewVersionSubmission;
}

/** PUT /api/media/{versionId}: with an upload, a new file for a rejected version; without one, only returns the version. */
export class ReplaceVersionBody {
  @Optional()
  @IdField()
  projectId?: string;
  @Optional()
  @IdField()
  uploadId?: string;
}

/** PUT /api/projects/{id}/newVersion */
export class ConfirmVersionBody {
  @IdField()
  versionId: string;
  @Optional()
  @IsString()
  @MaxLength(1_000)
  versionUrl?: string;
}
