import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import { CompleteTodosBody, EditTodoBody, NewTodoBody, TodoReplyBody } from '@roughmix/contracts/todos/todo.api.js';
import type {
  TodoAddedAnswer,
  TodoEditedAnswer,
  TodoRemovedAnswer,
  TodoReplyAnswer,
  TodosAnswer,
  TodosCompletedAnswer,
} from '@roughmix/contracts/todos/todo.view.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { LongBody } from '../platform/http/long-body.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { idsOf } from '../projects/project-access.queries.js';
import { AddTodo, CompleteTodos, EditTodo, RemoveTodo, ReplyToTodo } from './todos.commands.js';
import { todosById, TodosQueries } from './todos.queries.js';

@Controller('api')
export class TodosController {
  constructor(
    private readonly commands: CommandBus,
    private readonly todos: TodosQueries,
  ) {}

  @Get('todos/:ids')
  async active(@CurrentCaller() caller: Caller, @Param('ids') ids: string): Promise<TodosAnswer> {
    return { todos: todosById(await this.todos.byIds(idsOf(ids, LIMITS.idsInOneCall), caller.uid, 'active')) };
  }

  @Get('completedTodos/:ids')
  async completed(@CurrentCaller() caller: Caller, @Param('ids') ids: string): Promise<TodosAnswer> {
    return { todos: todosById(await this.todos.byIds(idsOf(ids, LIMITS.idsInOneCall), caller.uid, 'completed')) };
  }

  @Post('todos')
  @LongBody()
  add(@CurrentContext() context: CommandContext, @Body() body: NewTodoBody): Promise<CommandAnswer<TodoAddedAnswer>> {
    return this.commands.execute(new AddTodo(context, body));
  }

  @Post('todos/:id')
  @LongBody()
  reply(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: TodoReplyBody): Promise<CommandAnswer<TodoReplyAnswer>> {
    return this.commands.execute(new ReplyToTodo(context, id, body));
  }

  @Put('todos/:id')
  @LongBody()
  edit(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: EditTodoBody): Promise<CommandAnswer<TodoEditedAnswer>> {
    return this.commands.execute(new EditTodo(context, id, body));
  }

  @Put('todos/markComplete/:ids')
  complete(
    @CurrentContext() context: CommandContext,
    @Param('ids') ids: string,
    @Body() body: CompleteTodosBody,
  ): Promise<CommandAnswer<TodosCompletedAnswer>> {
    return this.commands.execute(new CompleteTodos(context, idsOf(ids, LIMITS.idsInOneCall), body));
  }

  @Post('todos/:id/remove')
  @HttpCode(200)
  remove(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: RemovalBody): Promise<CommandAnswer<TodoRemovedAnswer>> {
    return this.commands.execute(new RemoveTodo(context, id, body.projectId));
  }
}
