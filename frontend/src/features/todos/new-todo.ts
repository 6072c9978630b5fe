import type { Due } from '@roughmix/contracts/todos/todo.due.js';
import type { NewPost } from '../../shared/posts/new-post';
import type { Outgoing } from '../../shared/writing/outbox';

/** A todo or a reply as its author sent it. */
export interface NewTodo extends NewPost {
  /** Replies are not due. */
  readonly due: Due;
}

export type OutgoingTodo = Outgoing<NewTodo>;
