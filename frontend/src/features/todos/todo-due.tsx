import { mayEditTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { errorMessage } from '../../shared/api/api-errors';
import { useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { DueButton, DueLabel, PastDueLabel } from './due-button';
import { dueChanges, dueOf } from './due-date';
import { useEditTodo } from './todos.queries';

/** When a todo is due. Its author can change that while it is active. */
export function TodoDue({ todo }: { readonly todo: TodoView }) {
  const { viewer } = useProject();
  const { requireAccount } = useSession();
  const edit = useEditTodo(todo);
  const due = dueOf(todo);
  if (todo.completed) return <PastDueLabel due={due} />;
  if (!mayEditTodo(viewer, { authorUid: todo.user.uid, isReply: false })) return <DueLabel due={due} />;
  return (
    <DueButton
      due={due}
      onOpen={edit.reset}
      onSet={(next, close) => requireAccount() && edit.mutate(dueChanges(next), { onSuccess: close })}
      isPending={edit.isPending}
      error={edit.error === null ? null : errorMessage(edit.error)}
    />
  );
}
