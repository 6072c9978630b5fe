import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { type Due, NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import { useQueryClient } from '@tanstack/react-query';
import type { TextLimit } from '../../shared/posts/text-limit';
import type { WritingPlace } from '../../shared/posts/use-writing';
import { useProject } from '../../shared/project/project-context';
import { draftKey } from '../../shared/writing/drafts';
import type { Outbox } from '../../shared/writing/outbox';
import { useOutbox } from '../../shared/writing/writing-provider';
import { createTodoDelivery } from './deliver-todo';
import type { NewTodo } from './new-todo';

export const TODO_LIMIT: TextLimit = { length: LIMITS.todo, problem: 'limit.todo' };

/** The outbox of the open project's todos. */
export function useTodoOutbox(): Outbox<NewTodo> {
  const cache = useQueryClient();
  const { projectId } = useProject();
  return useOutbox(`todos.${projectId}`, () => createTodoDelivery(cache, projectId));
}

/** The key of a draft; `parentId` is the todo that it replies to, null for a new todo. */
export const todoDraftKey = (uid: Uid, projectId: Id, parentId: Id | null): string =>
  draftKey(uid, projectId, 'todos', ...(parentId === null ? [] : [parentId]));

/** Where new todos, or replies to a todo, are written. */
export function useTodoPlace(parentId: Id | null, due: Due = NOT_DUE): WritingPlace {
  const { user, projectId } = useProject();
  const outbox = useTodoOutbox();
  return {
    draftKey: todoDraftKey(user.uid, projectId, parentId),
    limit: TODO_LIMIT,
    parentId,
    send: (post) => outbox.send({ ...post, due }),
  };
}
