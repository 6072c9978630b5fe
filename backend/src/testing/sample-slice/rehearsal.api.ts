import { ComingBack } from '@roughmix/contracts/live.api.js';
import { IdField, Line, MaxLength } from '@roughmix/contracts/shared/body.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min } from 'class-validator';

/** PUT /api/rehearsals/{id}/start */
export class MoveRehearsalBody {
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  startsAt: Instant;
}

/** POST /api/rehearsals */
export class ScheduleRehearsalBody extends MoveRehearsalBody {
  @Line(LIMITS.label, 'limit.label')
  place: string;
  @IsArray()
  @ArrayMaxSize(LIMITS.peopleInOneInvitation)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  invitedUids: Uid[];
}

/** The body of `in-group`. */
export class InGroup extends ComingBack {
  @IdField()
  groupId: Id;
}

/** The body of `left-group`. */
export class LeftGroup {
  @IdField()
  groupId: Id;
}
