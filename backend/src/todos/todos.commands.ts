import { Command } from '@nestjs/cqrs';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { CompleteTodosBody, EditTodoBody, NewTodoBody, TodoReplyBody } from '@roughmix/contracts/todos/todo.api.js';
import type { TodoAddedAnswer, TodoEditedAnswer, TodoRemovedAnswer, TodoReplyAnswer, TodosCompletedAnswer } from '@roughmix/contracts/todos/todo.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

export class AddTodo extends Command<CommandAnswer<TodoAddedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly body: NewTodoBody,
  ) {
    super();
  }
}

export class ReplyToTodo extends Command<CommandAnswer<TodoReplyAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly parentTodoId: Id,
    readonly body: TodoReplyBody,
  ) {
    super();
  }
}

export class EditTodo extends Command<CommandAnswer<TodoEditedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly todoId: Id,
    readonly body: EditTodoBody,
  ) {
    super();
  }
}

export class CompleteTodos extends Command<CommandAnswer<TodosCompletedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly todoIds: readonly Id[],
    readonly body: CompleteTodosBody,
  ) {
    super();
  }
}

export class RemoveTodo extends Command<CommandAnswer<TodoRemovedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly todoId: Id,
    readonly projectId: Id | undefined,
  ) {
    super();
  }
}
