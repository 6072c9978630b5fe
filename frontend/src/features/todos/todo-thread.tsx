import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { mayReplyToTodo } from '@roughmix/contracts/todos/todo.access.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { memo } from 'react';
import { type Highlight, requestFor } from '../../shared/posts/highlight';
import { ThreadView } from '../../shared/posts/thread';
import { isSameThread } from '../../shared/posts/threads';
import { useProject } from '../../shared/project/project-context';
import type { OutgoingTodo } from './new-todo';
import { TodoReply } from './todo-reply';
import { TodoRow } from './todo-row';
import type { TodoThread as Thread } from './todo-threads';
import { UnsentTodo } from './unsent-todo';
import { useTodoPlace } from './use-todo-place';

interface TodoThreadProps {
  readonly thread: Thread;
  /** The user's replies that the server does not have yet. */
  readonly unsent: readonly OutgoingTodo[];
  readonly highlight: Highlight | null;
  /** When the page was opened: todos added later appear with an animation. */
  readonly openedAt: Instant;
  readonly isMarked: boolean;
  /** Keep the function the same. */
  readonly onMark: (todo: TodoView, isMarked: boolean) => void;
  readonly isLeaving: boolean;
}

/** Each new todo rebuilds all threads, but the todos in them stay the same objects. */
const isUnchanged = (before: TodoThreadProps, now: TodoThreadProps): boolean =>
  isSameThread(before.thread, now.thread) &&
  before.unsent === now.unsent &&
  before.highlight === now.highlight &&
  before.isMarked === now.isMarked &&
  before.isLeaving === now.isLeaving;

/** A todo and its replies. Memoized because there may be hundreds. */
export const TodoThread = memo(function TodoThread({ thread, unsent, highlight, openedAt, isMarked, onMark, isLeaving }: TodoThreadProps) {
  const { first, replies } = thread;
  const { viewer } = useProject();
  const place = useTodoPlace(first._id);
  const facts = ({ _id, dateAdded }: TodoView) => ({ highlightRequest: requestFor(highlight, _id), isNew: dateAdded > openedAt });
  return (
    <ThreadView
      first={(toggle) => (
        <TodoRow {...facts(first)} todo={first} isMarked={isMarked} onMark={onMark} isLeaving={isLeaving}>
          {toggle}
        </TodoRow>
      )}
      replies={replies}
      replyIds={first.replyIds}
      reply={(reply) => <TodoReply key={reply._id} {...facts(reply)} reply={reply} />}
      unsent={unsent}
      UnsentReply={UnsentTodo}
      box={mayReplyToTodo(viewer) ? { label: `Reply to ${fullName(first.user)}`, place } : null}
      highlight={highlight}
    />
  );
}, isUnchanged);
