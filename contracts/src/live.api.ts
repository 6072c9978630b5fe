import { IsInt, IsString, Max, Min } from 'class-validator';
import { IdField, MaxLength, Optional } from './shared/body.js';
import type { Id, Position } from './shared/ids.js';

/** The fields of every message that joins a room or returns to one. */
export class ComingBack {
  /** The last position whose messages were all handled. Messages missed since then are sent before the ack. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  after?: Position;

  /** The log that `after` belongs to, as named in an earlier ack. */
  @Optional()
  @IsString()
  @MaxLength(64)
  log?: string;
}

/** The body of `in-project`. */
export class InProject extends ComingBack {
  @IdField()
  projectId: Id;
}

/** The body of `left-project`. */
export class LeftProject {
  @IdField()
  projectId: Id;
}

/** The body of `login`. With `after` it catches up the person's own room. */
export class Login extends ComingBack {}

/** The body of `logout`, which has no fields. */
export class Nothing {}
