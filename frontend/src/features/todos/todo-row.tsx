import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { mayCompleteTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNow } from '../../shared/hooks/use-now';
import { PersonLink } from '../../shared/people/person-link';
import { PostDate, PostMarks } from '../../shared/posts/byline';
import { Editable } from '../../shared/posts/editable';
import { highlightClass, useHighlight } from '../../shared/posts/highlight';
import { useIsSelected } from '../../shared/posts/selected-post';
import { useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { Avatar } from '../../shared/ui/avatar';
import { Checkbox } from '../../shared/ui/checkbox';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import { When } from '../../shared/ui/when';
import { PostText } from '../../shared/posts/post-text';
import { TodoActs } from './todo-acts';
import { TodoDue } from './todo-due';
import { TodoEditor } from './todo-editor';
import { todoElementId } from './todo-element-id';
import './todos.css';

export interface TodoRowProps {
  readonly todo: TodoView;
  readonly isMarked: boolean;
  readonly onMark: (todo: TodoView, isMarked: boolean) => void;
  /** Just completed, and sliding out of the list. */
  readonly isLeaving: boolean;
  readonly highlightRequest: number;
  readonly isNew: boolean;
  /** The button that opens the replies. */
  readonly children?: ReactNode;
}

function CompletionBox({ todo, isMarked, onMark }: Pick<TodoRowProps, 'todo' | 'isMarked' | 'onMark'>) {
  const { viewer } = useProject();
  const { requireAccount } = useSession();
  if (todo.completed) return <Icon of={Check} size={16} className="done" />;
  return (
    <Checkbox
      label="Completed"
      hidesLabel
      isSelected={isMarked}
      isDisabled={!mayCompleteTodo(viewer, { authorUid: todo.user.uid })}
      onChange={(next) => requireAccount() && onMark(todo, next)}
    />
  );
}

function Completion({ todo: { completedBy, dateCompleted } }: Pick<TodoRowProps, 'todo'>) {
  const now = useNow();
  if (completedBy === null || dateCompleted === null) return null;
  return (
    <span>
      completed by {isolated(fullName(completedBy))}, <When at={dateCompleted}>{relativePast(dateCompleted, now)}</When>
    </span>
  );
}

function Information({ todo }: Pick<TodoRowProps, 'todo'>) {
  const { user, edited } = todo;
  return (
    <div className="info meta">
      <PostMarks post={todo} />
      <span className="flex">
        <Avatar name={fullName(user)} photo={user.smallPhoto} size={20} isDecorative />
        <span>
          <PersonLink person={user} />, <PostDate post={todo} isEdited={edited !== null} />
        </span>
      </span>
      <TodoDue todo={todo} />
      <Completion todo={todo} />
    </div>
  );
}

/** One todo, active or completed. */
export function TodoRow({ todo, isMarked, onMark, isLeaving, highlightRequest, isNew, children }: TodoRowProps) {
  const article = useHighlight<HTMLElement>(highlightRequest);
  const isSelected = useIsSelected(todo._id);
  const states = [isMarked && 'is-marked', isSelected && 'is-selected', isLeaving && 'slides-out', isNew && 'arrives'];
  return (
    <article
      ref={article}
      className={classNames('todo', ...states, highlightClass(highlightRequest))}
      id={todoElementId(todo)}
      tabIndex={-1}
      aria-label={`Todo by ${fullName(todo.user)}`}
      aria-current={isSelected || undefined}
    >
      <CompletionBox todo={todo} isMarked={isMarked} onMark={onMark} />
      <Editable postId={todo._id} editor={todo.completed ? null : (onDone) => <TodoEditor todo={todo} onDone={onDone} />}>
        {(onEdit) => (
          <>
            <div className="body">
              <PostText content={todo.content} />
              <Information todo={todo} />
            </div>
            <TodoActs todo={todo} onEdit={onEdit}>
              {children}
            </TodoActs>
          </>
        )}
      </Editable>
    </article>
  );
}
