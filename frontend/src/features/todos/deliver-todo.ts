import { TODO_PATHS } from '@roughmix/contracts/todos/todo.paths.js';
import type { TodoAddedAnswer, TodoReplyAnswer } from '@roughmix/contracts/todos/todo.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client';
import { submissionOf } from '../../shared/posts/new-post';
import type { Deliver } from '../../shared/writing/outbox';
import { dueChanges } from './due-date';
import type { NewTodo } from './new-todo';
import { takeTodos } from './todos.queries';

/** Delivers todos and replies to the server and puts the answers into the cache. */
export function createTodoDelivery(cache: QueryClient, projectId: Id): Deliver<NewTodo> {
  return async (todo, { signal }) => {
    const { parentId, due, key } = todo;
    const options = { commandId: key, signal };
    if (parentId === null) {
      const submission = { ...submissionOf(todo), ...(due.dueDate === null ? {} : dueChanges(due)) };
      const { answer } = await api.send<TodoAddedAnswer>('POST', TODO_PATHS.add, { projectId, submission }, options);
      takeTodos(cache, projectId, [answer.newTodo]);
      return answer.newTodo?._id ?? '';
    }
    const { answer } = await api.send<TodoReplyAnswer>('POST', TODO_PATHS.reply(parentId), { projectId, submission: submissionOf(todo) }, options);
    takeTodos(cache, projectId, [answer.updatedParentTodo, answer.newTodo]);
    return answer.newTodo?._id ?? '';
  };
}
