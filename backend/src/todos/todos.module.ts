import { Module } from '@nestjs/common';
import type { SliceParts } from '../platform/slice.js';
import { PendingReminders } from './pending-reminders.queries.js';
import { RemindOfTodo } from './remind-of-todo.timer.js';
import { ScheduleReminderWhenSet } from './schedule-reminder-when-set.reactor.js';
import { TodoAnswers } from './todo-answers.js';
import { TodoRemindersController } from './todo-reminders.controller.js';
import { TodoRemindersQueries } from './todo-reminders.queries.js';
import { TodosChores } from './todos.chores.js';
import { TodosController } from './todos.controller.js';
import { todoHandlers } from './todos.handlers.js';
import { TodosPushes } from './todos.pushes.js';
import { TodosQueries } from './todos.queries.js';

const background = [ScheduleReminderWhenSet, RemindOfTodo, TodosChores];

@Module({
  controllers: [TodosController, TodoRemindersController],
  providers: [TodoAnswers, TodosPushes, TodoRemindersQueries, PendingReminders, ...background, ...todoHandlers],
  exports: [TodosPushes, ...background],
})
export class TodosModule {}

export const parts: SliceParts = {
  module: TodosModule,
  doors: [TodosQueries],
  pushes: [TodosPushes],
  reactors: [ScheduleReminderWhenSet],
  timers: [RemindOfTodo],
  chores: [TodosChores],
};
