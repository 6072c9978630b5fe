import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { VersionNumber } from '@roughmix/contracts/shared/versions.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { repliesByParent, type Thread } from '../../shared/posts/threads';

/** A todo with its replies, the oldest first. */
export type TodoThread = Thread<TodoView, TodoView>;

/** The todos with their replies, the newest first. */
export function todoThreadsOf(todos: readonly TodoView[]): readonly TodoThread[] {
  const replies = repliesByParent(
    todos.filter(({ isReply }) => isReply),
    ({ parentTodoId }) => parentTodoId,
  );
  const threads = todos.flatMap((first) => (first.isReply ? [] : [{ first, replies: replies.get(first._id) ?? NONE }]));
  return threads.toSorted((a, b) => b.first.dateAdded - a.first.dateAdded || b.first.position - a.first.position);
}

const NONE: readonly TodoView[] = [];

/** The todos that were completed under one version. */
export interface Round {
  /** null for those completed without a version. */
  readonly versionId: Id | null;
  /** As it was then; the version may be removed. */
  readonly number: VersionNumber | null;
  readonly threads: readonly TodoThread[];
}

/** Completed todos by version, the latest completion first. */
export function roundsOf(completed: readonly TodoThread[]): readonly Round[] {
  const rounds = new Map<Id | null, { readonly versionId: Id | null; readonly number: VersionNumber | null; readonly threads: TodoThread[] }>();
  for (const thread of completed.toSorted((a, b) => (b.first.dateCompleted ?? 0) - (a.first.dateCompleted ?? 0))) {
    const { completedTodosVersionId: versionId, completedTodosVersion: number } = thread.first;
    const known = rounds.get(versionId);
    if (known === undefined) rounds.set(versionId, { versionId, number, threads: [thread] });
    else known.threads.push(thread);
  }
  return [...rounds.values()];
}
