import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { TodoRemindersBody } from '@roughmix/contracts/todos/todo.api.js';
import type { TodoRemindersAnswer } from '@roughmix/contracts/todos/todo.view.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { TodoRemindersQueries } from './todo-reminders.queries.js';

@Controller('api/notifications/manageTodoReminders')
export class TodoRemindersController {
  constructor(private readonly reminders: TodoRemindersQueries) {}

  /** A query, sent as POST because the list of ids may be long. */
  @Post()
  @HttpCode(200)
  due(@CurrentCaller() caller: Caller, @Body() { todoIds }: TodoRemindersBody): Promise<TodoRemindersAnswer> {
    return this.reminders.ofMember(caller.uid, todoIds);
  }
}
