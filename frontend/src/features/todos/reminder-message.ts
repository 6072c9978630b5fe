import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { reminderSentence } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { textStart } from '@roughmix/contracts/shared/post-text.js';
import { dueOf } from './due-date';

const LENGTH = 80;

/** The server reminds the author and those who are mentioned. */
export const isReminded = ({ user, taggedUsers }: TodoView, uid: Uid): boolean => user.uid === uid || taggedUsers.includes(uid);

/** 'Due in 15 minutes: Print the stems' */
export function reminderMessage(todo: TodoView): string {
  const { reminder } = dueOf(todo);
  const start = textStart(todo.content, LENGTH);
  return reminder === null ? start : `${reminderSentence(reminder.label)}: ${start}`;
}
