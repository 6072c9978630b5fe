import { Injectable } from '@nestjs/common';
import { ReadModels } from '../platform/projections/read-models.js';
import type { ReminderOf } from './remind-of-todo.timer.js';
import { type TodoDocument, TODOS } from './todos.documents.js';

const PAGE = 500;

/** Reminders of active todos that were not sent. */
@Injectable()
export class PendingReminders {
  constructor(private readonly reads: ReadModels) {}

  /** All of them, the earliest first. */
  async *all(): AsyncGenerator<ReminderOf> {
    const where = { field: 'awaitsReminder', value: true };
    let after: { readonly id: string; readonly sort: number } | undefined;
    for (;;) {
      const page = await this.reads.find<TodoDocument>(TODOS, { where, sort: 'ascending', limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const { projectId, todoId, remindAt } of page) yield { projectId, todoId, at: remindAt ?? 0 };
      const last = page.at(-1);
      if (last === undefined) return;
      after = { id: last.todoId, sort: last.remindAt ?? 0 };
    }
  }
}
