import { IsInt, Max, Min } from 'class-validator';
import { IdField } from '../shared/body.js';
import type { Id } from '../shared/ids.js';
import { LIMITS } from '../shared/limits.js';

/** The body of `update-metrics`: how many seconds of a version were heard since the last such message. */
export class UpdateMetrics {
  @IdField()
  versionId: Id;

  @IsInt()
  @Min(1)
  @Max(LIMITS.listenedSeconds)
  seconds: number;
}
