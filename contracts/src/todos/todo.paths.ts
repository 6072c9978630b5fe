/** The paths of the todos' calls. */
export const TODO_PATHS = {
  active: (ids: readonly string[]) => `/api/todos/${ids.join(',')}`,
  completed: (ids: readonly string[]) => `/api/completedTodos/${ids.join(',')}`,
  add: '/api/todos',
  reply: (todoId: string) => `/api/todos/${todoId}`,
  edit: (todoId: string) => `/api/todos/${todoId}`,
  complete: (ids: readonly string[]) => `/api/todos/markComplete/${ids.join(',')}`,
  remove: (todoId: string) => `/api/todos/${todoId}/remove`,
  reminders: '/api/notifications/manageTodoReminders',
} as const;
