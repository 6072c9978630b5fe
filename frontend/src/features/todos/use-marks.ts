import type { Id } from '@roughmix/contracts/shared/ids.js';
import { mayCompleteTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { useMemo, useState } from 'react';
import { useStableCallback } from '../../shared/hooks/use-stable-callback';
import { useProject } from '../../shared/project/project-context';

/** The active todos that are marked for completion. A todo that is completed or removed in the meantime is no longer marked. */
export function useMarks(active: readonly TodoView[]) {
  const { viewer } = useProject();
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(new Set());
  const marked = useMemo(
    () => active.filter(({ _id, user }) => chosen.has(_id) && mayCompleteTodo(viewer, { authorUid: user.uid })).map(({ _id }) => _id),
    [active, chosen, viewer],
  );
  const mark = useStableCallback(({ _id }: TodoView, isMarked: boolean) => {
    const others = [...chosen].filter((id) => id !== _id);
    setChosen(new Set(isMarked ? [...others, _id] : others));
  });
  return { marked, mark, clear: () => setChosen(new Set()) };
}

export type Marks = ReturnType<typeof useMarks>;
