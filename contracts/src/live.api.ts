import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { IdField, Optional } from './shared/body.js';
import type { Id, Position } from './shared/ids.js';

/** The body of `in-project`. */
export class InProject {
  @IdField()
  projectId: Id;

  /** The last position of which all messages were handled: what was missed since comes first. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  after?: Position;

  /** The log that `after` belongs to, as an earlier answer named it. */
  @Optional()
  @IsString()
  @MaxLength(64)
  log?: string;
}

/** The body of `left-project`. */
export class LeftProject {
  @IdField()
  projectId: Id;
}

/** The body of `login` and `logout`: nothing is said beside the name. */
export class Nothing {}
