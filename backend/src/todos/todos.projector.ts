import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents } from '@roughmix/contracts/regions/region.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import type { TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { TutorialEvents } from '@roughmix/contracts/tutorial/tutorial.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, projector, type Projector, put, remove, removeWhere, update } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { staysSent } from './todo.folds.js';
import { type TodoDocument, TODOS } from './todos.documents.js';

type Added = StoredEvent<string, TodoEvents['TodoAdded'] | TodoEvents['TodoReplyAdded']>;
type NewTodoFields = Pick<TodoDocument, 'parentTodoId' | 'parentOwnerUid' | 'dueDate' | 'reminder'>;

/** The fields that todos are searched by, which follow from others. */
function indexed(todo: Omit<TodoDocument, 'dueIn' | 'awaitsReminder' | 'remindAt'>): TodoDocument {
  const isActive = todo.completion === null;
  const remindAt = isActive && !todo.reminderSent ? (todo.reminder?.at ?? null) : null;
  return { ...todo, dueIn: isActive && todo.dueDate !== null ? todo.projectId : null, awaitsReminder: remindAt !== null, remindAt };
}

function insertTodo(event: Added, fields: NewTodoFields): DocumentChange {
  const { todoId, content, versionId, taggedUsers, marks } = event.data;
  const { meta, position } = event;
  const written = { todoId, projectId: idInStream(event), content, authorUid: meta.actorUid ?? '', versionId, ...marks, taggedUsers };
  const initial = {
    dateAdded: meta.at,
    added: position,
    dateModified: meta.at,
    edited: null,
    replyIds: [],
    completion: null,
    reminderSent: false,
    initialLogin: false,
  };
  return put<TodoDocument>(TODOS, todoId, indexed({ ...written, ...initial, ...fields, position }));
}

const change = (todoId: Id, { position }: StoredEvent, facts: (todo: TodoDocument) => Partial<TodoDocument>): DocumentChange =>
  update<TodoDocument>(TODOS, todoId, (todo) => indexed({ ...todo, ...facts(todo), position }));

function edited({ text, due }: TodoEvents['TodoEdited'], at: number): (todo: TodoDocument) => Partial<TodoDocument> {
  return ({ reminderSent }) => ({
    dateModified: at,
    ...(text === null ? {} : { content: text.content, taggedUsers: text.taggedUsers, ...text.to, edited: at }),
    ...(due === null ? {} : { ...due.to, reminderSent: reminderSent && staysSent(due) }),
  });
}

const markReminderSent = (event: StoredEvent<string, { readonly todoId: Id }>): readonly DocumentChange[] => [
  change(event.data.todoId, event, () => ({ reminderSent: true })),
];

export const todosProjector: Projector = projector<TodoEvents & Pick<RegionEvents, 'RegionRemoved.v2'> & Pick<ProjectEvents, 'ProjectPurged'> & TutorialEvents>(
  {
    name: 'todos',
    version: 2,
    collections: [{ name: TODOS, indexes: [{ field: 'projectId' }, { field: 'dueIn', sort: 'dueDate' }, { field: 'awaitsReminder', sort: 'remindAt' }] }],
  },
  {
    TodoAdded: (event) => [insertTodo(event, { parentTodoId: null, parentOwnerUid: null, ...event.data.due })],
    TodoReplyAdded: (event) => {
      const { todoId, parentTodoId, parentOwnerUid } = event.data;
      const addReply = ({ replyIds }: TodoDocument): Partial<TodoDocument> => ({ replyIds: [...replyIds.filter((id) => id !== todoId), todoId] });
      return [insertTodo(event, { parentTodoId, parentOwnerUid, ...NOT_DUE }), change(parentTodoId, event, addReply)];
    },
    TodoEdited: (event) => [change(event.data.todoId, event, edited(event.data, event.meta.at))],
    TodoCompleted: (event) => {
      const { data, meta } = event;
      const completion = { at: meta.at, byUid: meta.actorUid ?? '', version: data.version };
      return [change(data.todoId, event, () => ({ completion, dateModified: meta.at }))];
    },
    TodoRemoved: ({ data }) => [data.todoId, ...data.replyIds].map((id) => remove(TODOS, id)),
    TodoReplyRemoved: (event) => {
      const { todoId, parentTodoId } = event.data;
      return [remove(TODOS, todoId), change(parentTodoId, event, ({ replyIds }) => ({ replyIds: replyIds.filter((id) => id !== todoId) }))];
    },
    TodoReminderFired: markReminderSent,
    TodoReminderSkipped: markReminderSent,
    'RegionRemoved.v2': (event) =>
      event.data.todoIds.map((id) =>
        change(id, event, ({ taggedRegions }) => ({ taggedRegions: taggedRegions.filter((regionId) => regionId !== event.data.regionId) })),
      ),
    TutorialCreated: ({ data }) => data.todoIds.map((id) => update<TodoDocument>(TODOS, id, (todo) => ({ ...todo, initialLogin: true }))),
    ProjectPurged: removeWhere(TODOS, 'projectId', idInStream),
  },
);
