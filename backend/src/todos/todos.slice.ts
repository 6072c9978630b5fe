import { TODO_EVENT_CLASSES } from '@roughmix/contracts/todos/todo.events.js';
import type { Slice } from '../platform/slice.js';
import { todosProjector } from './todos.projector.js';

export const todosSlice: Slice = {
  name: 'todos',
  stream: 'project-<id>',
  eventClasses: TODO_EVENT_CLASSES,
  projectors: [todosProjector],
  load: () => import('./todos.module.js'),
};
