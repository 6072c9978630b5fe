import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { ScheduleAbandonmentWhenCreated } from './schedule-abandonment-when-created.reactor.js';

/** Sets missing timers of unfinished projects: those created before timers existed, or lost by a restore. */
@Injectable()
export class ProjectsChores implements ChoreSource {
  constructor(private readonly abandonment: ScheduleAbandonmentWhenCreated) {}

  chores(): readonly Chore[] {
    return [{ name: 'timers of unfinished projects', when: 'start', run: () => this.abandonment.setMissing() }];
  }
}
