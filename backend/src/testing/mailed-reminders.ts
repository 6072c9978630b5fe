import { mention } from '@roughmix/contracts/shared/mentions.js';
import { REMINDER_EMAILS } from '../mailings/email-reminder.timer.js';
import { REMINDER_TIMERS } from '../todos/remind-of-todo.timer.js';
import type { Person } from './app.js';
import type { MailingApp } from './mailing-app.js';
import { todo } from './project-over-http.js';

const HOUR_MS = 60 * 60_000;

export interface MentioningTodos {
  readonly projectId: string;
  readonly author: Person;
  readonly mentioned: Person;
  readonly count?: number;
}

/** Adds todos that are due in two hours, and moves the clock to their reminders, an hour from now. Resolves once it is decided which are e-mailed. */
export async function remindOfTodos(mail: MailingApp, { projectId, author, mentioned, count = 1 }: MentioningTodos): Promise<void> {
  const dueDate = mail.clock.now() + 2 * HOUR_MS;
  const submission = { content: `Tune it ${mention(mentioned.username)}`, dueDate, reminder: { '1 hour before': 0 } };
  for (let nth = 0; nth < count; nth += 1) await todo(author, projectId, submission);
  await mail.moveTo(dueDate - HOUR_MS, REMINDER_TIMERS);
  await mail.app.reactorsIdle();
  await mail.moveTo(mail.clock.now(), REMINDER_EMAILS);
}
