import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import type { Rules } from '../kernel/decider.js';
import type { ProjectState } from '../projects/project.state.js';

/** A reminder as it was set; ignored if it was moved, removed or sent since. */
interface SetReminder {
  readonly todoId: Id;
  readonly at: Instant;
}

/** Sent by the system only. */
export interface ReminderCommands {
  FireReminder: SetReminder;
  /** After a restore: people were reminded before it. */
  SkipReminder: SetReminder;
}

/** The reminder, if it is still to be sent. */
function pending({ todoId, at }: SetReminder, project: ProjectState) {
  const todo = project.removed ? undefined : project.todos[todoId];
  if (todo === undefined || todo.completed || todo.reminderSent) return null;
  const { reminder } = todo.due;
  return reminder?.at === at ? reminder : null;
}

export const reminderRules: Rules<ReminderCommands, ProjectState, null, ProjectStreamEvent> = {
  FireReminder(set, project) {
    const reminder = pending(set, project);
    return reminder === null ? [] : [{ type: 'TodoReminderFired', data: { todoId: set.todoId, reminder } }];
  },
  SkipReminder(set, project) {
    const reminder = pending(set, project);
    return reminder === null ? [] : [{ type: 'TodoReminderSkipped', data: { todoId: set.todoId, reminder } }];
  },
};
