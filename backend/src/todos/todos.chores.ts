import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';
import { ScheduleReminderWhenSet } from './schedule-reminder-when-set.reactor.js';

@Injectable()
export class TodosChores implements ChoreSource {
  constructor(private readonly reminders: ScheduleReminderWhenSet) {}

  chores(): readonly Chore[] {
    return [{ name: 'reminders of todos', when: 'start', run: () => this.reminders.afterRestore() }];
  }
}
