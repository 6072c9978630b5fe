import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { NO_REMINDER, NO_REMINDER_AT } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoRemindersAnswer, TodoReminderView } from '@roughmix/contracts/todos/todo.view.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { type TodoDocument, TODOS } from './todos.documents.js';
import { todosById, TodosQueries } from './todos.queries.js';

type DueTodo = TodoDocument & { readonly dueDate: number };

const isDue = (todo: TodoDocument): todo is DueTodo => todo.dueIn !== null && todo.dueDate !== null;

const reminderView = ({ todoId, projectId, dueDate, reminder, reminderSent }: DueTodo, projectName: string): TodoReminderView => ({
  todoId,
  projectId,
  projectName,
  dueDate,
  at: reminder?.at ?? NO_REMINDER_AT,
  label: reminder?.label ?? NO_REMINDER,
  reminderSent,
});

/** The active todos with a due date of all projects of a user. */
@Injectable()
export class TodoRemindersQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly todos: TodosQueries,
  ) {}

  /** The first of them by due date and id; only those of `todoIds`, if given. */
  async ofMember(uid: Uid, todoIds?: readonly Id[]): Promise<TodoRemindersAnswer> {
    const projects = new Map((await this.access.projectsOfMember(uid)).map((project) => [project.projectId, project]));
    const found = todoIds === undefined ? await this.dueIn([...projects.keys()]) : await this.reads.getMany<TodoDocument>(TODOS, todoIds);
    const due = found
      .filter(isDue)
      .toSorted((one, other) => one.dueDate - other.dueDate || (one.todoId < other.todoId ? -1 : 1))
      .flatMap((todo) => {
        const project = projects.get(todo.projectId);
        return project === undefined ? [] : [{ todo, project }];
      })
      .slice(0, LIMITS.reminders);
    const views = await this.todos.shown(due.map(({ todo }) => todo));
    return { reminders: due.map(({ todo, project }) => reminderView(todo, project.projectName)), reminderTodos: todosById(views) };
  }

  private async dueIn(projectIds: readonly Id[]): Promise<readonly TodoDocument[]> {
    const query = { sort: 'ascending', limit: LIMITS.reminders } as const;
    const found = await Promise.all(projectIds.map((value) => this.reads.find<TodoDocument>(TODOS, { ...query, where: { field: 'dueIn', value } })));
    return found.flat();
  }
}
