import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';

export const todoElementId = ({ _id }: Pick<TodoView, '_id'>): string => `todo-${_id}`;
