import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { PostEditor } from '../../shared/posts/post-editor';
import { useEditTodo } from './todos.queries';
import { TODO_LIMIT } from './use-todo-place';

/** Edits the text and the marks of the user's own todo or reply. */
export const TodoEditor = ({ todo, onDone }: { readonly todo: TodoView; readonly onDone: () => void }) => (
  <PostEditor label={todo.isReply ? 'Edit reply' : 'Edit todo'} post={todo} limit={TODO_LIMIT} edit={useEditTodo(todo)} onDone={onDone} />
);
