import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { Folds } from '../kernel/decider.js';
import type { ProjectState, TodoFacts } from '../projects/project.state.js';

type NewTodoFields = Pick<TodoFacts, 'content' | 'taggedUsers' | 'marks' | 'parentTodoId' | 'due'>;

const newTodo = (authorUid: Uid | null, fields: NewTodoFields): TodoFacts => ({
  ...fields,
  authorUid: authorUid ?? '',
  replyIds: [],
  reminderSent: false,
  completed: false,
  completedVersionId: null,
});

const change = (project: ProjectState, todoId: Id, facts: (todo: TodoFacts) => Partial<TodoFacts>): ProjectState => {
  const todo = project.todos[todoId];
  if (todo !== undefined) project.todos[todoId] = { ...todo, ...facts(todo) };
  return project;
};

/** Whether a reminder that was sent stays sent after this change of the due date. */
export const staysSent = (due: NonNullable<TodoEvents['TodoEdited']['due']>): boolean => due.from.reminder?.at === due.to.reminder?.at;

/** Folds a project's todos from its events. */
export const todoFolds: Folds<TodoEvents, ProjectState> = {
  TodoAdded(project, { data, meta }) {
    const { content, taggedUsers, marks, due } = data;
    project.todos[data.todoId] = newTodo(meta.actorUid, { content, taggedUsers, marks, due, parentTodoId: null });
    return project;
  },
  TodoReplyAdded(project, { data, meta }) {
    const { todoId, parentTodoId, content, taggedUsers, marks } = data;
    project.todos[todoId] = newTodo(meta.actorUid, { content, taggedUsers, marks, due: NOT_DUE, parentTodoId });
    return change(project, parentTodoId, ({ replyIds }) => ({ replyIds: [...replyIds, todoId] }));
  },
  TodoEdited: (project, { data: { todoId, text, due } }) =>
    change(project, todoId, ({ reminderSent }) => ({
      ...(text === null ? {} : { content: text.content, taggedUsers: text.taggedUsers, marks: text.to }),
      ...(due === null ? {} : { due: due.to, reminderSent: reminderSent && staysSent(due) }),
    })),
  TodoCompleted: (project, { data }) => change(project, data.todoId, () => ({ completed: true, completedVersionId: data.version?.versionId ?? null })),
  TodoRemoved(project, { data }) {
    for (const id of [data.todoId, ...data.replyIds]) delete project.todos[id];
    return project;
  },
  TodoReplyRemoved(project, { data }) {
    delete project.todos[data.todoId];
    return change(project, data.parentTodoId, ({ replyIds }) => ({ replyIds: replyIds.filter((id) => id !== data.todoId) }));
  },
  TodoReminderFired: (project, { data }) => change(project, data.todoId, () => ({ reminderSent: true })),
  TodoReminderSkipped: (project, { data }) => change(project, data.todoId, () => ({ reminderSent: true })),
};
