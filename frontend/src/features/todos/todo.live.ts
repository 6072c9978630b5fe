import type { Id, Position } from '@roughmix/contracts/shared/ids.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import type { QueryClient } from '@tanstack/react-query';
import { projectChannel } from '../../shared/live/channels';
import type { LiveHandlers } from '../../shared/live/handlers';
import { dropTodos, takeTodos, todosOf } from './todos.queries';

export const TODOS_CHANNEL = projectChannel('todos');

interface Removal {
  readonly projectId: Id;
  readonly ids: readonly Id[];
  readonly position: Position;
}

const take = (cache: QueryClient, { projectId, view }: { readonly projectId: Id; readonly view: TodoView }) => takeTodos(cache, projectId, [view]);
const drop = (cache: QueryClient, { projectId, ids, position }: Removal) => dropTodos(cache, projectId, ids, position);

/** Keeps the todos current; `onReminder` is called when a reminder fires, which is an edit without an actor. */
export const todoLive = (onReminder: (todo: TodoView) => void): LiveHandlers => ({
  TodoAdded: take,
  TodoReplyAdded: take,
  TodoCompleted: take,
  TodoEdited: (cache, { projectId, view, actorUid }) => {
    const known = cache.getQueryData(todosOf(projectId).queryKey)?.find(({ _id }) => _id === view._id);
    takeTodos(cache, projectId, [view]);
    if (actorUid === null && view.reminderSent && known?.reminderSent === false) onReminder(view);
  },
  TodoRemoved: drop,
  TodoReplyRemoved: drop,
});
