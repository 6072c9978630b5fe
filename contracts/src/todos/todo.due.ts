import type { Instant } from '../shared/ids.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long before the due date each reminder is, in milliseconds. A day is 24 hours, whatever the time zone does. */
export const REMINDER_OFFSETS = {
  'When Todo is due': 0,
  '5 minutes before': 5 * MINUTE_MS,
  '10 minutes before': 10 * MINUTE_MS,
  '15 minutes before': 15 * MINUTE_MS,
  '30 minutes before': 30 * MINUTE_MS,
  '1 hour before': HOUR_MS,
  '2 hours before': 2 * HOUR_MS,
  '1 day before': DAY_MS,
  '2 days before': 2 * DAY_MS,
} as const;

/** The label for no reminder. */
export const NO_REMINDER = 'None';
/** The timestamp for no reminder. */
export const NO_REMINDER_AT = -1;

/** The label of a reminder that is set. */
export type SetReminderLabel = keyof typeof REMINDER_OFFSETS;
export type ReminderLabel = typeof NO_REMINDER | SetReminderLabel;
/** In the order in which a menu offers them. */
export const REMINDER_LABELS: readonly ReminderLabel[] = [NO_REMINDER, ...(Object.keys(REMINDER_OFFSETS) as SetReminderLabel[])];

/** The latest due date, and the latest reminder: the last instant before the year 10000, which date fields and many programs cannot read. */
export const LATEST_DUE_DATE: Instant = Date.UTC(10_000, 0) - 1;

export interface Reminder {
  readonly label: SetReminderLabel;
  readonly at: Instant;
}

/** When a todo is due, and when its author and those it mentions are reminded. */
export interface Due {
  readonly dueDate: Instant | null;
  readonly reminder: Reminder | null;
}

export const NOT_DUE: Due = { dueDate: null, reminder: null };

/** The wire form of a reminder: one entry from its label to its timestamp, `{'None': -1}` without a reminder. */
export type ReminderMap = Readonly<Partial<Record<ReminderLabel, number>>>;

export const reminderMap = (reminder: Reminder | null): ReminderMap =>
  reminder === null ? { [NO_REMINDER]: NO_REMINDER_AT } : { [reminder.label]: reminder.at };

/** The reminder in a map; null when it says that there is none. In a request only the label counts, and a value of -1 means none. */
export function reminderIn(map: ReminderMap): Reminder | null {
  const [label, at] = Object.entries(map)[0] ?? [NO_REMINDER, NO_REMINDER_AT];
  return label === NO_REMINDER || at === NO_REMINDER_AT ? null : { label: label as SetReminderLabel, at };
}

/** The label of a reminder map, 'None' without a reminder. */
export const reminderLabel = (map: ReminderMap): ReminderLabel => reminderIn(map)?.label ?? NO_REMINDER;

/** A wanted change; missing fields stay as they are. A due date of null removes the reminder too; only then may the reminder be null. */
export interface DueChange {
  readonly dueDate?: Instant | null;
  readonly reminder?: ReminderLabel | null;
}

export type DueProblem = 'request.invalid' | 'reminder.no-due-date' | 'reminder.past' | 'reminder.too-far';

/**
 * The due date and reminder after a change, or why it is refused. A reminder keeps its distance when the due date moves. One that is set or moved must be
 * after `now`, and neither may be after {@link LATEST_DUE_DATE}; what stays where it is may be in the past, or later than that.
 */
export function changeDue(current: Due, change: DueChange, now: Instant): Due | DueProblem {
  if (change.reminder === null && change.dueDate !== null) return 'request.invalid';
  const dueDate = change.dueDate === undefined ? current.dueDate : change.dueDate;
  if (dueDate === null) return (change.reminder ?? NO_REMINDER) === NO_REMINDER ? NOT_DUE : 'reminder.no-due-date';
  if (dueDate !== current.dueDate && dueDate > LATEST_DUE_DATE) return 'reminder.too-far';
  const label = change.reminder ?? current.reminder?.label ?? NO_REMINDER;
  if (label === NO_REMINDER) return { dueDate, reminder: null };
  const at = dueDate - REMINDER_OFFSETS[label];
  if (at !== current.reminder?.at && at <= now) return 'reminder.past';
  return at !== current.reminder?.at && at > LATEST_DUE_DATE ? 'reminder.too-far' : { dueDate, reminder: { label, at } };
}

/** What a reminder says when it fires, by its label even when it is late: 'Due now', 'Due in 15 minutes'. */
export const reminderSentence = (label: SetReminderLabel): string => (REMINDER_OFFSETS[label] === 0 ? 'Due now' : `Due in ${label.replace(' before', '')}`);

/** How long after its time a reminder still says what its label says. */
const ON_TIME_MS = 2 * MINUTE_MS;

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** In whole minutes, at least one, in the two largest units: '1 day 3 hours', '1 hour 20 minutes', '5 minutes'. */
function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / (24 * 60)), Math.floor(minutes / 60) % 24];
  const units = [counted(days, 'day'), counted(hours, 'hour'), counted(minutes % 60, 'minute')];
  const largest = days > 0 ? 0 : hours > 0 ? 1 : 2;
  return units
    .slice(largest, largest + 2)
    .filter((unit) => !unit.startsWith('0 '))
    .join(' ');
}

/** What a reminder says when it is sent at an instant: as {@link reminderSentence} while it is on time, later the time that is left, or 'Overdue'. */
export function reminderSentenceAt({ label, at }: Reminder, now: Instant): string {
  if (now - at <= ON_TIME_MS) return reminderSentence(label);
  const left = at + REMINDER_OFFSETS[label] - now;
  return left <= 0 ? 'Overdue' : `Due in ${duration(left)}`;
}

/** The reminder of a due date that is at an instant; null if no label is. */
export function reminderAt(at: Instant, dueDate: Instant): Reminder | null {
  const found = Object.entries(REMINDER_OFFSETS).find(([, offset]) => offset === dueDate - at);
  return found === undefined ? null : { label: found[0] as SetReminderLabel, at };
}

export const sameReminder = (one: Reminder | null, other: Reminder | null): boolean => one?.label === other?.label && one?.at === other?.at;
export const sameDue = (one: Due, other: Due): boolean => one.dueDate === other.dueDate && sameReminder(one.reminder, other.reminder);
