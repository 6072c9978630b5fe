import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { distinctIds, type Id, type Instant, type Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { sameMarks, type WantedMarks } from '@roughmix/contracts/shared/marks.js';
import { mayAddTodo, mayCompleteTodo, mayEditTodo, mayReplyToTodo } from '@roughmix/contracts/todos/todo.access.js';
import { changeDue, type Due, type DueChange, type DueProblem, NOT_DUE, sameDue } from '@roughmix/contracts/todos/todo.due.js';
import type { CompletedVersion, TodoEvents } from '@roughmix/contracts/todos/todo.events.js';
import type { Rules } from '../kernel/decider.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { addPost, editPost, removePosts, resolveMarks, type StoredText } from '../projects/post.decider.js';
import { existingVersion, type ProjectState, type TodoFacts } from '../projects/project.state.js';
import { type TagCommand, wantedTags } from '../regions/tagged-region.decider.js';
import { staysSent } from './todo.folds.js';

export { reminderRules } from './reminder.decider.js';
export { todoFolds } from './todo.folds.js';

/** A new post; `versionId` null means the current version. */
type NewPost = StoredText & { readonly todoId: Id; readonly versionId: Id | null; readonly marks: WantedMarks };

export interface TodoCommands {
  AddTodo: NewPost & { readonly due: DueChange; readonly at: Instant };
  ReplyToTodo: NewPost & { readonly parentTodoId: Id };
  /** Missing fields stay as they are. */
  EditTodo: Partial<StoredText> & WantedMarks & { readonly todoId: Id; readonly due: DueChange; readonly at: Instant };
  TagTodo: TagCommand & { readonly todoId: Id };
  /** All or none. `versionId` null means the current version. */
  CompleteTodos: { readonly todoIds: readonly Id[]; readonly versionId: Id | null };
  RemoveTodo: { readonly todoId: Id };
}

type DueChanged = TodoEvents['TodoEdited']['due'];

const accessOf = ({ authorUid, parentTodoId }: TodoFacts) => ({ authorUid, isReply: parentTodoId !== null });

/** Why this user may not edit or remove it; null if they may. */
function refusedChange(todo: TodoFacts, who: Viewer): Refusal | null {
  if (mayEditTodo(who, accessOf(todo))) return null;
  return refuse(todo.authorUid === who.uid ? 'project.not-allowed' : 'todo.not-yours');
}

const refusedDue = (problem: DueProblem): Refusal => (problem === 'request.invalid' ? refuse(problem, { field: 'submission.reminder' }) : refuse(problem));

const awaitsReminder = ({ due, reminderSent, completed }: TodoFacts): boolean => due.reminder !== null && !reminderSent && !completed;

/** Whether a new due date adds a reminder to an author who has as many waiting in the project as they may. */
function isReminderTooMany({ authorUid, due }: { readonly authorUid: Uid; readonly due: Due }, project: ProjectState): boolean {
  if (due.reminder === null) return false;
  return Object.values(project.todos).filter((todo) => todo.authorUid === authorUid && awaitsReminder(todo)).length >= LIMITS.pendingReminders;
}

function changedDue({ due: from }: TodoFacts, change: DueChange, now: Instant): DueChanged | Refusal {
  const to = changeDue(from, change, now);
  if (typeof to === 'string') return refusedDue(to);
  return sameDue(from, to) ? null : { from, to };
}

/** Whether a change makes a todo wait for a reminder that it did not wait for. */
const isAnotherReminder = (todo: TodoFacts, due: DueChanged | Refusal): due is NonNullable<DueChanged> =>
  due !== null && !isRefusal(due) && !awaitsReminder(todo) && !(todo.reminderSent && staysSent(due));

/** The events of an edit; missing fields stay as they are. */
function edited(
  todoId: Id,
  todo: TodoFacts,
  { due, ...change }: Partial<StoredText> & WantedMarks & { readonly due: DueChanged | Refusal },
  project: ProjectState,
): readonly ProjectStreamEvent[] | Refusal {
  const { content, taggedUsers, marks: from } = { ...todo, ...change };
  const to = resolveMarks(change, project, from);
  if (isRefusal(to)) return to;
  if (isRefusal(due)) return due;
  const text = content === todo.content && sameMarks(from, to.marks) ? null : { content, taggedUsers, from, to: to.marks };
  if (text === null && due === null) return [];
  return editPost(todoId, { before: from, to }, project, { type: 'TodoEdited', data: { todoId, text, due } });
}

/** The version under which todos are completed, or why it is refused. */
function completedUnder(wanted: Id | null, project: ProjectState): CompletedVersion | null | Refusal {
  const versionId = wanted ?? project.versionIds.at(-1);
  if (versionId === undefined) return null;
  const version = existingVersion(project, versionId);
  return version === null ? refuse('version.not-found') : { versionId, majorUpdate: version.major, minorUpdate: version.minor };
}

export const todoRules: Rules<TodoCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  AddTodo({ at, due: wanted, ...todo }, project, who) {
    const due = changeDue(NOT_DUE, wanted, at);
    if (due === 'request.invalid') return refusedDue(due);
    if (!mayAddTodo(who)) return refuse('project.not-allowed');
    if (project.todos[todo.todoId] !== undefined) return [];
    if (typeof due === 'string') return refusedDue(due);
    if (isReminderTooMany({ authorUid: who.uid, due }, project)) return refuse('reminder.too-many');
    return addPost(todo, project, (place) => ({ type: 'TodoAdded', data: { ...todo, ...place, due } }));
  },

  ReplyToTodo({ parentTodoId: target, ...reply }, project, who) {
    const parentTodoId = project.todos[target]?.parentTodoId ?? target;
    const parent = project.todos[parentTodoId];
    if (parent === undefined) return refuse('todo.not-found');
    if (!mayReplyToTodo(who)) return refuse('project.not-allowed');
    if (project.todos[reply.todoId] !== undefined) return [];
    const parentOwnerUid = project.todos[parent.replyIds.at(-1) ?? parentTodoId]?.authorUid ?? parent.authorUid;
    return addPost(reply, project, (place) => ({ type: 'TodoReplyAdded', data: { ...reply, ...place, parentTodoId, parentOwnerUid } }));
  },

  EditTodo({ todoId, due: wantedDue, at, ...wantedText }, project, who) {
    const todo = project.todos[todoId];
    if (todo === undefined) return refuse('todo.not-found');
    const [dueField] = Object.keys(wantedDue);
    if (todo.parentTodoId !== null && dueField !== undefined) return refuse('request.unknown-field', { field: `submission.${dueField}` });
    const due = changedDue(todo, wantedDue, at);
    if (isRefusal(due) && due.refused === 'request.invalid') return due;
    const refused = refusedChange(todo, who);
    if (refused !== null) return refused;
    if (todo.completed) return refuse('todo.completed');
    if (isAnotherReminder(todo, due) && isReminderTooMany({ authorUid: todo.authorUid, due: due.to }, project)) return refuse('reminder.too-many');
    return edited(todoId, todo, { ...wantedText, due }, project);
  },

  TagTodo({ todoId, ...tag }, project, who) {
    const todo = project.todos[todoId];
    if (todo === undefined) return refuse('todo.not-found');
    const refused = refusedChange(todo, who);
    if (refused !== null) return refused;
    if (todo.completed) return refuse('todo.completed');
    const taggedRegions = wantedTags(tag, todo.marks, project);
    return isRefusal(taggedRegions) ? taggedRegions : edited(todoId, todo, { taggedRegions, due: null }, project);
  },

  CompleteTodos({ todoIds: wanted, versionId }, project, who) {
    // An id that is named twice must not count twice.
    const todoIds = distinctIds(wanted);
    const todos = todoIds.flatMap((todoId) => {
      const todo = project.todos[todoId];
      return todo === undefined || todo.parentTodoId !== null ? [] : { ...todo, todoId };
    });
    if (todos.length === 0 || todos.length < todoIds.length) return refuse('todo.not-found');
    if (todos.some((todo) => !mayCompleteTodo(who, todo))) return refuse('todo.not-allowed');
    const version = completedUnder(versionId, project);
    if (isRefusal(version)) return version;
    return todos.flatMap(({ todoId, completed }) => (completed ? [] : { type: 'TodoCompleted', data: { todoId, version } }));
  },

  RemoveTodo({ todoId }, project, who) {
    const todo = project.todos[todoId];
    if (todo === undefined) return refuse('todo.not-found');
    const refused = refusedChange(todo, who);
    if (refused !== null) return refused;
    const { parentTodoId, replyIds, completed: wasCompleted, completedVersionId } = todo;
    const ids = [todoId, ...replyIds];
    const taggedRegions = [...new Set(ids.flatMap((id) => project.todos[id]?.marks.taggedRegions ?? []))];
    return removePosts(
      { ids, taggedRegions },
      project,
      parentTodoId === null
        ? { type: 'TodoRemoved', data: { todoId, replyIds, taggedRegions, wasCompleted, completedVersionId } }
        : { type: 'TodoReplyRemoved', data: { todoId, parentTodoId, taggedRegions } },
    );
  },
};
