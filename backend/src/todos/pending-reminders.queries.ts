import { Injectable } from '@nestjs/common';
import { ReadModels } from '../platform/projections/read-models.js';
import type { ReminderOf } from './remind-of-todo.timer.js';
import { type TodoDocument, TODOS } from './todos.documents.js';

/** Reminders of active todos that were not sent. */
@Injectable()
export class PendingReminders {
  constructor(private readonly reads: ReadModels) {}

  /** All of them, the earliest first. */
  async *all(): AsyncGenerator<ReminderOf> {
    const where = { field: 'awaitsReminder', value: true };
    const pending = this.reads.findAll<TodoDocument>(TODOS, where, ({ todoId, remindAt }) => ({ id: todoId, sort: remindAt }));
    for await (const { projectId, todoId, remindAt, authorUid } of pending) yield { projectId, todoId, at: remindAt ?? 0, by: authorUid };
  }
}
