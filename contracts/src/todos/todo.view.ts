import type { ProjectView } from '../projects/project.view.js';
import type { TaggedRegionView } from '../regions/region.view.js';
import type { Id, Instant, Position, Uid } from '../shared/ids.js';
import type { Stamp } from '../shared/marks.js';
import type { VersionNumber } from '../shared/versions.js';
import type { PersonView } from '../users/user.view.js';
import type { ReminderLabel, ReminderMap } from './todo.due.js';

/** A todo or a reply to one. */
export interface TodoView {
  readonly _id: Id;
  readonly projectId: Id;
  readonly versionId: Id | null;
  /** With mentions in the wire form. */
  readonly content: string;
  readonly user: PersonView;
  readonly dateAdded: Instant;
  /** The last change to content, tag, stamp, due date or reminder, or the completion. */
  readonly dateModified: Instant;
  /** The last change to content, tag or stamp. */
  readonly edited: Instant | null;
  readonly isReply: boolean;
  readonly parentTodoId: Id | null;
  /** Of a reply: the author of the newest reply that existed when it was written, else of the todo. */
  readonly parentOwner: PersonView | null;
  readonly replyIds: readonly Id[];
  readonly taggedRegions: readonly TaggedRegionView[];
  readonly taggedUsers: readonly Uid[];
  readonly stamp: Stamp | null;
  readonly completed: boolean;
  readonly dateCompleted: Instant | null;
  readonly completedBy: PersonView | null;
  readonly completedTodosVersionId: Id | null;
  /** The number of that version; stays when the version is removed. */
  readonly completedTodosVersion: VersionNumber | null;
  readonly dueDate: Instant | null;
  /** null for a reply. */
  readonly reminder: ReminderMap | null;
  readonly reminderSent: boolean;
  readonly initialLogin: boolean;
  readonly position: Position;
}

/** Todos by id, in the order requested. */
export type TodosById = Readonly<Record<Id, TodoView>>;

export interface TodosAnswer {
  readonly todos: TodosById;
}
/** In the answer to a repeated command, a view is null if its todo was removed since. */
export interface TodoAddedAnswer {
  readonly newTodo: TodoView | null;
  readonly oldTodo: null;
  readonly updatedProject: ProjectView;
}
export interface TodoReplyAnswer {
  readonly newTodo: TodoView | null;
  readonly updatedParentTodo: TodoView | null;
  readonly updatedProject: ProjectView;
}
export interface TodoEditedAnswer {
  readonly updatedTodo: TodoView | null;
  readonly updatedProject: ProjectView;
}
export interface TodosCompletedAnswer {
  readonly completedTodos: Readonly<Record<Id, TodoView | null>>;
  readonly updatedProject: ProjectView;
}
export interface TodoRemovedAnswer {
  /** null unless a reply was removed. */
  readonly updatedParentTodo: TodoView | null;
  readonly updatedProject: ProjectView;
}

/** An active todo that is due. `at` is the reminder's timestamp, -1 with the label 'None'. */
export interface TodoReminderView {
  readonly todoId: Id;
  readonly projectId: Id;
  readonly projectName: string;
  readonly dueDate: Instant;
  readonly at: number;
  readonly label: ReminderLabel;
  readonly reminderSent: boolean;
}

export interface TodoRemindersAnswer {
  /** By due date and id. */
  readonly reminders: readonly TodoReminderView[];
  readonly reminderTodos: TodosById;
}
