import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { Due } from '@roughmix/contracts/todos/todo.due.js';
import type { CompletedVersion } from '@roughmix/contracts/todos/todo.events.js';

export const TODOS = 'todos';

/** A todo or a reply to one. */
export interface TodoDocument extends Due {
  readonly todoId: Id;
  readonly projectId: Id;
  /** As stored: mentions are uids. */
  readonly content: string;
  readonly authorUid: Uid;
  readonly dateAdded: Instant;
  /** Of the event that added it: the order of a project's todos. */
  readonly added: Position;
  readonly dateModified: Instant;
  readonly edited: Instant | null;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly taggedRegions: readonly Id[];
  readonly taggedUsers: readonly Uid[];
  readonly parentTodoId: Id | null;
  readonly parentOwnerUid: Uid | null;
  readonly replyIds: readonly Id[];
  readonly completion: { readonly at: Instant; readonly byUid: Uid; readonly version: CompletedVersion | null } | null;
  readonly reminderSent: boolean;
  /** The project, while the todo is active and has a due date: for lists of what is due. */
  readonly dueIn: Id | null;
  /** Whether its reminder is still to be sent, and when. */
  readonly awaitsReminder: boolean;
  readonly remindAt: Instant | null;
  /** It came with the tutorial project. */
  readonly initialLogin: boolean;
  readonly position: Position;
}
