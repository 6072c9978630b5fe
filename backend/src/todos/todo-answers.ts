import { Injectable } from '@nestjs/common';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type {
  TodoAddedAnswer,
  TodoEditedAnswer,
  TodoRemovedAnswer,
  TodoReplyAnswer,
  TodosCompletedAnswer,
  TodoView,
} from '@roughmix/contracts/todos/todo.view.js';
import type { CommandContext, Executed } from '../platform/streams/streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { TodosQueries } from './todos.queries.js';

/** An executed command: its context, project and result. */
interface ExecutedCommand {
  readonly context: CommandContext;
  readonly projectId: Id;
  readonly done: Executed<ProjectStreamEvent>;
}

/** The todo of the replies that a command added or removed. */
const parentIn = ({ events }: Executed<ProjectStreamEvent>): Id | null =>
  events.flatMap((event) => (event.type === 'TodoReplyAdded' || event.type === 'TodoReplyRemoved' ? event.data.parentTodoId : []))[0] ?? null;

/** Answers to todo commands, read after the command took effect. A todo that is gone by then is null. */
@Injectable()
export class TodoAnswers {
  constructor(
    private readonly projects: ProjectsQueries,
    private readonly todos: TodosQueries,
  ) {}

  async added(executed: ExecutedCommand, todoId: Id): Promise<AsPreferred<TodoAddedAnswer>> {
    const [newTodo, project] = await Promise.all([this.one(executed, todoId), this.project(executed)]);
    return { newTodo, oldTodo: null, ...project };
  }

  async replied(executed: ExecutedCommand, todoId: Id): Promise<AsPreferred<TodoReplyAnswer>> {
    const [newTodo, updatedParentTodo, project] = await Promise.all([
      this.one(executed, todoId),
      this.one(executed, parentIn(executed.done)),
      this.project(executed),
    ]);
    return { newTodo, updatedParentTodo, ...project };
  }

  async edited(executed: ExecutedCommand, todoId: Id): Promise<AsPreferred<TodoEditedAnswer>> {
    const [updatedTodo, project] = await Promise.all([this.one(executed, todoId), this.project(executed)]);
    return { updatedTodo, ...project };
  }

  async completed(executed: ExecutedCommand, todoIds: readonly Id[]): Promise<AsPreferred<TodosCompletedAnswer>> {
    const [views, project] = await Promise.all([this.todos.views(todoIds), this.project(executed)]);
    const found = new Map(views.map((view) => [view._id, view]));
    return { completedTodos: Object.fromEntries(todoIds.map((id) => [id, found.get(id) ?? null])), ...project };
  }

  async removed(executed: ExecutedCommand): Promise<AsPreferred<TodoRemovedAnswer>> {
    const [updatedParentTodo, project] = await Promise.all([this.one(executed, parentIn(executed.done)), this.project(executed)]);
    return { updatedParentTodo, ...project };
  }

  private one({ projectId }: ExecutedCommand, todoId: Id | null): Promise<TodoView | null> {
    return todoId === null ? Promise.resolve(null) : this.todos.inProject(todoId, projectId);
  }

  private project({ context, projectId }: ExecutedCommand): Promise<{ readonly updatedProject?: ProjectView }> {
    return this.projects.updated(context, projectId);
  }
}
