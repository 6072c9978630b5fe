import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { EarlierFileNames } from './earlier-file-names.js';
import { Sweeper } from './sweeper.js';
import { Trash } from './trash.js';

/** Removes expired uploads, sets missing timers of the trash, and renames files that a start could not reach. */
@Injectable()
export class MediaChores implements ChoreSource {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly trash: Trash,
    private readonly earlierNames: EarlierFileNames,
  ) {}

  chores(): readonly Chore[] {
    return [
      { name: 'expired uploads', when: 'start and hourly', run: () => this.sweeper.sweepUploads() },
      { name: 'names of stored files', when: 'hourly', run: () => this.earlierNames.remove() },
      { name: 'timers of the trash', when: 'start', run: () => this.trash.setMissing() },
    ];
  }
}
