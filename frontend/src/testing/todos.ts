import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { personCalled } from './people-and-projects';

/** An active todo by Bob on the project `p1`, an hour old. */
export const aTodo = (_id: string, changes: Partial<TodoView> = {}): TodoView => ({
  _id,
  projectId: 'p1',
  versionId: null,
  content: `words of ${_id}`,
  user: personCalled('Bob'),
  dateAdded: Date.now() - 3_600_000,
  dateModified: Date.now() - 3_600_000,
  edited: null,
  isReply: false,
  parentTodoId: null,
  parentOwner: null,
  replyIds: [],
  taggedRegions: [],
  taggedUsers: [],
  stamp: null,
  completed: false,
  dateCompleted: null,
  completedBy: null,
  completedTodosVersionId: null,
  completedTodosVersion: null,
  dueDate: null,
  reminder: { None: -1 },
  reminderSent: false,
  initialLogin: false,
  position: 10,
  ...changes,
});

/** A reply to a todo of {@link aTodo}. */
export const aTodoReply = (_id: string, parentTodoId: string, changes: Partial<TodoView> = {}): TodoView =>
  aTodo(_id, { isReply: true, parentTodoId, parentOwner: personCalled('Bob'), reminder: null, ...changes });

/** The changes of a completion, by Ana under version 1.0. */
export const completed = (changes: Partial<TodoView> = {}): Partial<TodoView> => ({
  completed: true,
  dateCompleted: Date.now() - 60_000,
  completedBy: personCalled('Ana'),
  completedTodosVersionId: 'p1_v1',
  completedTodosVersion: { majorUpdate: 1, minorUpdate: 0 },
  position: 20,
  ...changes,
});
