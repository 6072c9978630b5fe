import type { Id } from '@roughmix/contracts/shared/ids.js';
import { mayCompleteTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { useMemo } from 'react';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import { useProject } from '../../shared/project/project-context';
import { draftKey, useStored } from '../../shared/writing/drafts';

const NONE: readonly Id[] = [];

/** The active todos that are marked for completion, also after the tab was left. A todo that is completed or removed in the meantime is no longer marked. */
export function useMarkedTodos(active: readonly TodoView[]) {
  const { user, projectId, viewer } = useProject();
  const [chosen, setChosen] = useStored<readonly Id[]>(draftKey(user.uid, projectId, 'todos-marked'), NONE, ({ length }) => length === 0);
  const marked = useMemo(() => {
    const ids = new Set(chosen);
    return active.filter((todo) => ids.has(todo._id) && mayCompleteTodo(viewer, { authorUid: todo.user.uid })).map(({ _id }) => _id);
  }, [active, chosen, viewer]);
  const mark = useStableCallback(({ _id }: TodoView, isMarked: boolean) => {
    const others = chosen.filter((id) => id !== _id);
    setChosen(isMarked ? [...others, _id] : others);
  });
  return { marked, mark, clear: () => setChosen(NONE) };
}
