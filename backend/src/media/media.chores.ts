import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/reactor-role.js';
import type { ChoreSource } from '../platform/slice.js';
import { Sweeper } from './sweeper.js';

/** Removes files that no event references. */
@Injectable()
export class MediaChores implements ChoreSource {
  constructor(private readonly sweeper: Sweeper) {}

  chores(): readonly Chore[] {
    return [{ name: 'files that nobody named, trash', when: 'start and hourly', run: () => this.sweeper.sweep() }];
  }
}
