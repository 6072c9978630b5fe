import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { marksOf } from '@roughmix/contracts/shared/marks.api.js';
import type { TodoChanges } from '@roughmix/contracts/todos/todo.api.js';
import { type DueChange, reminderLabel } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoAddedAnswer, TodoEditedAnswer, TodoRemovedAnswer, TodoReplyAnswer, TodosCompletedAnswer } from '@roughmix/contracts/todos/todo.view.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { PostTextQueries } from '../projects/post-text.queries.js';
import { childRegionId, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { TodoAnswers } from './todo-answers.js';
import { AddTodo, CompleteTodos, EditTodo, RemoveTodo, ReplyToTodo } from './todos.commands.js';

const dueChange = ({ dueDate, reminder }: Pick<TodoChanges, 'dueDate' | 'reminder'>): DueChange => ({
  ...(dueDate === undefined ? {} : { dueDate }),
  ...(reminder === undefined ? {} : { reminder: reminder === null ? null : reminderLabel(reminder) }),
});

@CommandHandler(AddTodo)
export class AddTodoHandler implements ICommandHandler<AddTodo> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly text: PostTextQueries,
    private readonly answers: TodoAnswers,
  ) {}

  async execute({ context, body: { projectId, submission } }: AddTodo): Promise<CommandAnswer<TodoAddedAnswer>> {
    const uid = uidOf(context);
    const todoId = idFrom('todo', projectId, uid, context.commandId);
    const { content, versionId = null } = submission;
    const done = await this.streams.run(context, projectId, async () => {
      const text = await this.text.store({ typed: content, projectId, uid, empty: 'todo.empty' });
      return {
        type: 'AddTodo',
        data: { todoId, ...text, versionId, marks: marksOf(submission, childRegionId(context, projectId)), due: dueChange(submission), at: context.at },
      };
    });
    return this.streams.answer(done, () => this.answers.added({ context, projectId, done }, todoId));
  }
}

@CommandHandler(ReplyToTodo)
export class ReplyToTodoHandler implements ICommandHandler<ReplyToTodo> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly text: PostTextQueries,
    private readonly answers: TodoAnswers,
  ) {}

  async execute({ context, parentTodoId, body: { projectId, submission } }: ReplyToTodo): Promise<CommandAnswer<TodoReplyAnswer>> {
    const uid = uidOf(context);
    const todoId = idFrom('todo', projectId, uid, context.commandId);
    const { content, versionId = null } = submission;
    const done = await this.streams.run(context, projectId, async () => {
      const text = await this.text.store({ typed: content, projectId, uid, empty: 'todo.empty' });
      return { type: 'ReplyToTodo', data: { todoId, parentTodoId, ...text, versionId, marks: marksOf(submission, childRegionId(context, projectId)) } };
    });
    return this.streams.answer(done, () => this.answers.replied({ context, projectId, done }, todoId));
  }
}

@CommandHandler(EditTodo)
export class EditTodoHandler implements ICommandHandler<EditTodo> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly text: PostTextQueries,
    private readonly answers: TodoAnswers,
  ) {}

  async execute({ context, todoId, body }: EditTodo): Promise<CommandAnswer<TodoEditedAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: todoId, projectId: body.projectId, uid, missing: 'todo.not-found' });
    const { content, ...changes } = body.submission;
    const before = async (): Promise<string | undefined> => (await this.streams.state(projectId)).todos[todoId]?.content;
    const done = await this.streams.run(context, projectId, async () => ({
      type: 'EditTodo',
      data: {
        todoId,
        ...(content === undefined ? {} : await this.text.store({ typed: content, projectId, uid, empty: 'todo.empty', before: await before() })),
        ...marksOf(changes, childRegionId(context, projectId)),
        due: dueChange(changes),
        at: context.at,
      },
    }));
    return this.streams.answer(done, () => this.answers.edited({ context, projectId, done }, todoId));
  }
}

@CommandHandler(CompleteTodos)
export class CompleteTodosHandler implements ICommandHandler<CompleteTodos> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly answers: TodoAnswers,
  ) {}

  async execute({ context, todoIds, body }: CompleteTodos): Promise<CommandAnswer<TodosCompletedAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: todoIds[0] ?? '', projectId: body.projectId, uid, missing: 'todo.not-found' });
    const versionId = body.submission?.completedTodosVersionId ?? null;
    const done = await this.streams.run(context, projectId, { type: 'CompleteTodos', data: { todoIds, versionId } });
    return this.streams.answer(done, () => this.answers.completed({ context, projectId, done }, todoIds));
  }
}

@CommandHandler(RemoveTodo)
export class RemoveTodoHandler implements ICommandHandler<RemoveTodo> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly answers: TodoAnswers,
  ) {}

  async execute({ context, todoId, projectId: named }: RemoveTodo): Promise<CommandAnswer<TodoRemovedAnswer>> {
    const projectId = await this.parts.projectOf({ partId: todoId, projectId: named, uid: uidOf(context), missing: 'todo.not-found' });
    const done = await this.streams.run(context, projectId, { type: 'RemoveTodo', data: { todoId } });
    return this.streams.answer(done, () => this.answers.removed({ context, projectId, done }));
  }
}

export const todoHandlers = [AddTodoHandler, ReplyToTodoHandler, EditTodoHandler, CompleteTodosHandler, RemoveTodoHandler];
