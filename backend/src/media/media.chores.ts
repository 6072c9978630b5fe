import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { Sweeper } from './sweeper.js';
import { Trash } from './trash.js';

/** Removes expired uploads and sets missing timers of the trash. */
@Injectable()
export class MediaChores implements ChoreSource {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly trash: Trash,
  ) {}

  chores(): readonly Chore[] {
    return [
      { name: 'expired uploads', when: 'start and hourly', run: () => this.sweeper.sweepUploads() },
      { name: 'timers of the trash', when: 'start', run: () => this.trash.setMissing() },
    ];
  }
}
