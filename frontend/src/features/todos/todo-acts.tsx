import { mayEditTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { focusAfterRemoval, focusSoon } from '../../shared/posts/focus-after-removal';
import { useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { IconButton } from '../../shared/ui/icon-button';
import { todoElementId } from './todo-element-id';
import { useRemoveTodo } from './todos.queries';

interface TodoActsProps {
  readonly todo: TodoView;
  readonly onEdit: () => void;
  /** The button that opens the replies. */
  readonly children?: ReactNode;
}

function Remove({ todo }: { readonly todo: TodoView }) {
  const { requireAccount } = useSession();
  const removeWithUndo = useRemoveTodo(todo);
  const [asks, setAsks] = useState(false);
  const elementId = todoElementId(todo);
  const remove = () => {
    setAsks(false);
    const next = focusAfterRemoval(elementId);
    removeWithUndo(() => focusSoon(() => document.getElementById(elementId)));
    focusSoon(() => next);
  };
  const press = () => {
    if (!requireAccount()) return;
    if (todo.completed) setAsks(true);
    else remove();
  };
  return (
    <>
      <IconButton label="Remove" icon={Trash2} size="s" iconSize={14} onPress={press} />
      <ConfirmDialog title="Remove todo" isOpen={asks} onClose={() => setAsks(false)} onConfirm={remove} confirm="Remove" cancel="Keep it">
        This todo is marked as completed. Are you sure you want to remove it?
      </ConfirmDialog>
    </>
  );
}

/** The buttons of a todo or a reply: its author edits and removes it. A completed todo cannot be edited. */
export function TodoActs({ todo, onEdit, children }: TodoActsProps) {
  const { viewer } = useProject();
  const mayEdit = mayEditTodo(viewer, { authorUid: todo.user.uid, isReply: todo.isReply });
  return (
    <div className="acts">
      {children}
      {mayEdit && (
        <>
          {todo.completed && <span className="meta">currently disabled</span>}
          <Button size="s" variant="quiet" className="edit" isDisabled={todo.completed} onPress={onEdit}>
            Edit
          </Button>
          <Remove todo={todo} />
        </>
      )}
    </div>
  );
}
