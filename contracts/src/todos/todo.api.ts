import { ArrayMaxSize, IsInt, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import { all, AlsoIgnores, IdField, MaxLength, Nested, Nullable, Optional, Prose, type RuleContext } from '../shared/body.js';
import { LIMITS } from '../shared/limits.js';
import { MarksBody, PlacedMarksBody } from '../shared/marks.api.js';
import { LATEST_DUE_DATE, REMINDER_LABELS, type ReminderMap } from './todo.due.js';

const isReminder = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length === 1 && entries.every(([label, at]) => (REMINDER_LABELS as readonly string[]).includes(label) && Number.isFinite(at));
};

/** A map with exactly one entry, from a known label to a finite number. */
const IsReminder = (): PropertyDecorator =>
  ValidateBy({ name: 'isReminder', validator: { validate: isReminder, defaultMessage: () => '$property must map one label to a timestamp' } });

const DueDate = (): PropertyDecorator =>
  all(Nullable(), IsInt(), Min(0), Max(LATEST_DUE_DATE, { context: { code: 'reminder.too-far' } satisfies RuleContext }));

export class TodoSubmission extends PlacedMarksBody {
  @Prose(LIMITS.todo, 'limit.todo')
  content: string;
  @DueDate()
  dueDate?: number | null;
  /** null only with `dueDate: null`. */
  @Nullable()
  @IsReminder()
  reminder?: ReminderMap | null;
}

/** POST /api/todos */
export class NewTodoBody {
  @IdField()
  projectId: string;
  @Nested(() => TodoSubmission)
  submission: TodoSubmission;
}

export class TodoReplySubmission extends PlacedMarksBody {
  @Prose(LIMITS.todo, 'limit.todo')
  content: string;
}

/** POST /api/todos/{id}: a reply. */
export class TodoReplyBody {
  @IdField()
  projectId: string;
  @Nested(() => TodoReplySubmission)
  submission: TodoReplySubmission;
}

/** Changes to a todo or a reply; missing fields stay as they are. A reply has no due date and no reminder. */
@AlsoIgnores('versionId')
export class TodoChanges extends MarksBody {
  @Optional()
  @Prose(LIMITS.todo, 'limit.todo')
  content?: string;
  @DueDate()
  dueDate?: number | null;
  /** null only with `dueDate: null`. */
  @Nullable()
  @IsReminder()
  reminder?: ReminderMap | null;
}

/** PUT /api/todos/{id} */
export class EditTodoBody {
  @Optional()
  @IdField()
  projectId?: string;
  @Nested(() => TodoChanges)
  submission: TodoChanges;
}

@AlsoIgnores('completed', 'completedBy', 'dateCompleted')
export class TodoCompletion {
  /** The version under which they are completed: the current one if missing or null. */
  @Nullable()
  @IdField()
  completedTodosVersionId?: string | null;
}

/** PUT /api/todos/markComplete/{ids} */
@AlsoIgnores('completed', 'completedBy', 'dateCompleted')
export class CompleteTodosBody {
  @Optional()
  @IdField()
  projectId?: string;
  @Optional()
  @Nested(() => TodoCompletion)
  submission?: TodoCompletion;
}

/** POST /api/notifications/manageTodoReminders. Without ids, all todos of the caller's projects that are due. */
export class TodoRemindersBody {
  @Optional()
  @ArrayMaxSize(LIMITS.idsInOneCall, { context: { code: 'ids.too-many', limit: LIMITS.idsInOneCall } satisfies RuleContext })
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  @Matches(/\S/, { each: true })
  todoIds?: string[];
}
