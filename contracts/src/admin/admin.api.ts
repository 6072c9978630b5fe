import { IsInt, IsString, Min } from 'class-validator';
import { MaxLength, Optional } from '../shared/body.js';
import type { Position } from '../shared/ids.js';

/** POST /api/admin/{key}/reactors/{reactor}/replay: one parked reaction by its event's position, else all of them. */
export class ReplayReactionsBody {
  @Optional()
  @IsInt()
  @Min(1)
  position?: Position;
}

/** POST /api/admin/{key}/reactors/{reactor}/rewind: the events after this position are delivered again (0: all). */
export class RewindReactorBody {
  @IsInt()
  @Min(0)
  to!: Position;
}

/** POST /api/admin/{key}/mail: sends a test e-mail. */
export class SendTestEmailBody {
  @IsString()
  @MaxLength(1_000)
  to: string;
}
