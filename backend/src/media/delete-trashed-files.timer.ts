import { Injectable } from '@nestjs/common';
import type { Timer, TimerHandler } from '../platform/timers/timer.js';
import { Trash, TRASH_TIMERS } from './trash.js';

/** Deletes the files of a removed item once its time in the trash has passed. */
@Injectable()
export class DeleteTrashedFiles implements TimerHandler {
  readonly kind = TRASH_TIMERS;
  readonly afterRestore = 'fire';

  constructor(private readonly trash: Trash) {}

  async fire({ key, at }: Timer): Promise<void> {
    await this.trash.removeIfDue(key, at);
  }
}
