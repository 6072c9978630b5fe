import { UnsentPost } from '../../shared/posts/unsent-post';
import type { OutgoingTodo } from './new-todo';
import { useTodoOutbox } from './use-todo-place';

interface UnsentTodoProps {
  readonly post: OutgoingTodo;
  /** Puts the text back into the box where it was written. */
  readonly onTakeBack: (text: string) => void;
}

/** The user's own todo or reply until the server has it. */
export const UnsentTodo = ({ post, onTakeBack }: UnsentTodoProps) => (
  <UnsentPost post={post} noun={post.parentId === null ? 'Todo' : 'Reply'} outbox={useTodoOutbox()} onTakeBack={onTakeBack} />
);
