import { Injectable } from '@nestjs/common';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { mentionedIn, showMentions } from '@roughmix/contracts/shared/mentions.js';
import { reminderMap } from '@roughmix/contracts/todos/todo.due.js';
import type { TodosById, TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { RegionsQueries, type TaggedRegions } from '../regions/regions.queries.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { type TodoDocument, TODOS } from './todos.documents.js';

/** What a todo's view needs besides its own document. */
interface ViewContext {
  readonly people: People;
  readonly regions: TaggedRegions;
}

type Completed = Pick<TodoView, 'completed' | 'dateCompleted' | 'completedBy' | 'completedTodosVersionId' | 'completedTodosVersion'>;

function completedView({ completion }: TodoDocument, people: People): Completed {
  const version = completion?.version ?? null;
  return {
    completed: completion !== null,
    dateCompleted: completion?.at ?? null,
    completedBy: completion === null ? null : people(completion.byUid),
    completedTodosVersionId: version?.versionId ?? null,
    completedTodosVersion: version === null ? null : { majorUpdate: version.majorUpdate, minorUpdate: version.minorUpdate },
  };
}

/** A todo as everyone who may see the project sees it. */
function todoView(todo: TodoDocument, { people, regions }: ViewContext): TodoView {
  const { todoId, projectId, versionId, dateAdded, dateModified, edited, parentTodoId, parentOwnerUid, replyIds, taggedUsers, stamp, position } = todo;
  const isReply = parentTodoId !== null;
  return {
    _id: todoId,
    projectId,
    versionId,
    content: showMentions(todo.content, (uid) => people(uid).username),
    user: people(todo.authorUid),
    dateAdded,
    dateModified,
    edited,
    isReply,
    parentTodoId,
    parentOwner: parentOwnerUid === null ? null : people(parentOwnerUid),
    replyIds,
    taggedRegions: regions(todo.taggedRegions),
    taggedUsers,
    stamp,
    ...completedView(todo, people),
    dueDate: todo.dueDate,
    reminder: isReply ? null : reminderMap(todo.reminder),
    reminderSent: todo.reminderSent,
    initialLogin: todo.initialLogin,
    position,
  };
}

const peopleIn = ({ authorUid, parentOwnerUid, completion, content }: TodoDocument): readonly Uid[] => [
  authorUid,
  ...(parentOwnerUid === null ? [] : [parentOwnerUid]),
  ...(completion === null ? [] : [completion.byUid]),
  ...mentionedIn(content),
];

const isShown = (todo: TodoDocument, state: 'active' | 'completed'): boolean =>
  todo.parentTodoId !== null || (todo.completion !== null) === (state === 'completed');

/** Views by their ids, in the same order. */
export const todosById = (views: readonly TodoView[]): TodosById => Object.fromEntries(views.map((view) => [view._id, view]));

@Injectable()
export class TodosQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
    private readonly regions: RegionsQueries,
  ) {}

  /** Todos in the given order. The caller has checked access. */
  async views(todoIds: readonly Id[]): Promise<readonly TodoView[]> {
    return this.shown(await this.existing(todoIds));
  }

  /** One todo of a project that the caller may see; null if it is gone. */
  async inProject(todoId: Id, projectId: Id): Promise<TodoView | null> {
    const [view] = await this.views([todoId]);
    return view?.projectId === projectId ? view : null;
  }

  /** Those of the given todos that the user may see and that are active or completed; replies in either case. */
  async byIds(todoIds: readonly Id[], uid: Uid, state: 'active' | 'completed'): Promise<readonly TodoView[]> {
    const todos = await this.existing(todoIds);
    const seen = await this.access.allSeenBy(
      todos.map(({ projectId }) => projectId),
      uid,
    );
    return this.shown(todos.filter((todo) => seen.has(todo.projectId) && isShown(todo, state)));
  }

  /** A project's todos and their replies in the order added. The caller has checked access. */
  async ofProject(project: { readonly todoIds: readonly Id[]; readonly completedTodos: readonly Id[] }): Promise<readonly TodoView[]> {
    const todos = await this.existing([...project.todoIds, ...project.completedTodos]);
    const replies = await this.existing(todos.flatMap(({ replyIds }) => replyIds));
    return this.shown([...todos, ...replies].toSorted((one, other) => one.added - other.added));
  }

  /** Views of todos that were read already. */
  async shown(todos: readonly TodoDocument[]): Promise<readonly TodoView[]> {
    const [people, regions] = await Promise.all([
      this.users.people(todos.flatMap(peopleIn)),
      this.regions.tagged(todos.flatMap(({ taggedRegions }) => taggedRegions)),
    ]);
    return todos.map((todo) => todoView(todo, { people, regions }));
  }

  /** Whether the read model has parked the project at an unreadable event, so todos do not show later changes. */
  isParked(projectId: Id): Promise<boolean> {
    return this.reads.isParked(TODOS, projectStream(projectId));
  }

  private existing(todoIds: readonly Id[]): Promise<readonly TodoDocument[]> {
    return this.reads.getMany<TodoDocument>(TODOS, todoIds);
  }
}
