import { isMember, type Viewer } from '../projects/project.access.js';
import type { Uid } from '../shared/ids.js';

/** What rights on a todo or a reply to one depend on. */
export interface TodoForAccess {
  readonly authorUid: Uid;
  readonly isReply: boolean;
}

export const mayAddTodo = (who: Viewer): boolean => who.may.write;
export const mayReplyToTodo = (who: Viewer): boolean => who.may.comment;
/** The right that writing it needed. */
export const mayWriteTodo = (who: Viewer, { isReply }: Pick<TodoForAccess, 'isReply'>): boolean => (isReply ? mayReplyToTodo(who) : mayAddTodo(who));
/** Only the author may edit or remove a todo or a reply, and only while they may still write it. */
export const mayEditTodo = (who: Viewer, todo: TodoForAccess): boolean => todo.authorUid === who.uid && mayWriteTodo(who, todo);
/** With the right to add todos, any. Other members: those that they wrote while they had it. */
export const mayCompleteTodo = (who: Viewer, todo: Pick<TodoForAccess, 'authorUid'>): boolean =>
  mayAddTodo(who) || (isMember(who) && todo.authorUid === who.uid);
