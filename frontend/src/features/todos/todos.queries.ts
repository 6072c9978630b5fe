import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { TodoChanges } from '@roughmix/contracts/todos/todo.api.js';
import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import type { TodoEditedAnswer, TodoRemovedAnswer, TodosCompletedAnswer, TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { queryOptions, skipToken, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { batchesOf } from '../../shared/api/batches';
import { api } from '../../shared/api/client';
import { removeItems, takeItems } from '../../shared/live/cached-list';
import type { PostChanges } from '../../shared/posts/post-editor';
import { rowOf } from '../../shared/posts/focus-after-removal';
import { withoutReplyIds } from '../../shared/posts/threads';
import { usePendingRemovals, useRemovedIds } from '../../shared/removals/removals-provider';
import { unlessGone } from '../../shared/removals/unless-gone';
import { todoElementId } from './todo-element-id';

type Todos = readonly TodoView[];

/** A project's todos, active and completed, and their replies. The project page's request fills the list; answers and live messages keep it up to date. */
export const todosOf = (projectId: Id) => queryOptions<Todos>({ queryKey: ['todos', projectId], queryFn: skipToken });

/** Takes todos into the list; the newest position of each wins. Null is one that a repeated command found removed. */
export const takeTodos = (cache: QueryClient, projectId: Id, incoming: readonly (TodoView | null)[]): void =>
  takeItems(
    cache,
    todosOf(projectId).queryKey,
    incoming.filter((todo) => todo !== null),
  );

/** Removes todos and replies, also from the ids of their parents, which arrive with a later message. */
export function dropTodos(cache: QueryClient, projectId: Id, ids: readonly Id[], position: Position): void {
  const { queryKey } = todosOf(projectId);
  removeItems(cache, queryKey, ids, position);
  cache.setQueryData(queryKey, (list) => list && withoutReplyIds(list, new Set(ids)));
}

/** The todos without those that are being removed; a todo takes its replies with it. */
function withoutTodos(todos: Todos, removed: ReadonlySet<Id>): Todos {
  if (!todos.some(({ _id }) => removed.has(_id))) return todos;
  const shown = todos.filter(({ _id, parentTodoId }) => !removed.has(_id) && !(parentTodoId !== null && removed.has(parentTodoId)));
  return withoutReplyIds(shown, removed);
}

/** The todos as the page shows them. */
export function useTodos(projectId: Id): Todos | undefined {
  const { data } = useQuery(todosOf(projectId));
  const removed = useRemovedIds();
  return useMemo(() => data && withoutTodos(data, removed), [data, removed]);
}

/** Edits the user's own todo or reply: its text, marks, due date or reminder. */
export function useEditTodo({ _id, projectId }: Pick<TodoView, '_id' | 'projectId'>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (submission: Partial<PostChanges> & Pick<TodoChanges, 'dueDate' | 'reminder'>) =>
      (await api.send<TodoEditedAnswer>('PUT', TODO_PATHS.edit(_id), { projectId, submission })).answer.updatedTodo,
    onSuccess: (view) => takeTodos(cache, projectId, [view]),
  });
}

/** Removes the user's own todo or reply, with an Undo. */
export function useRemoveTodo({ _id, projectId, isReply, position }: TodoView) {
  const cache = useQueryClient();
  const removals = usePendingRemovals();
  const noun = isReply ? 'reply' : 'todo';
  return (onUndone: () => void) =>
    removals.remove({
      id: _id,
      done: isReply ? 'Reply removed.' : 'Todo removed.',
      failed: `The ${noun} was not removed.`,
      send: async (options) => {
        const sent = await unlessGone('todo.not-found', api.send<TodoRemovedAnswer>('POST', TODO_PATHS.remove(_id), { projectId }, options));
        const replies = (cache.getQueryData(todosOf(projectId).queryKey) ?? []).filter(({ parentTodoId }) => parentTodoId === _id);
        dropTodos(cache, projectId, [_id, ...replies.map((reply) => reply._id)], sent?.position ?? position);
        takeTodos(cache, projectId, [sent?.answer.updatedParentTodo ?? null]);
      },
      row: () => rowOf(todoElementId({ _id })),
      onUndone,
    });
}

interface Completion {
  readonly ids: readonly Id[];
  readonly versionId: Id | null;
}

/** Completes todos under a version, as many in a call as it takes. Those of an earlier call stay completed if a later one fails. */
export function useCompleteTodos(projectId: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, versionId }: Completion) => {
      const submission = { completedTodosVersionId: versionId };
      for (const batch of batchesOf(ids)) {
        const { answer } = await api.send<TodosCompletedAnswer>('PUT', TODO_PATHS.complete(batch), { projectId, submission });
        takeTodos(cache, projectId, Object.values(answer.completedTodos));
      }
    },
  });
}
