import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { type Reminder, reminderSentenceAt } from '@roughmix/contracts/todos/todo.due.js';
import type { EmailContent } from '../mailer.js';
import { type EmailEntry, emailOf } from './email-layout.js';

/** What became unread since the last digest. */
export interface Digest {
  /** The newest ones, which may contain typed text. */
  readonly entries: readonly EmailEntry[];
  /** Of all. */
  readonly count: number;
}

/** Where an e-mail of a kind that users can turn off leads. */
export interface MailingLinks {
  /** The page that opens the app. */
  readonly home: string;
  /** The page that turns this kind off. */
  readonly unsubscribe: string;
}

const counted = (count: number): string => (count === 1 ? '1 unread notification' : `${count.toLocaleString('en')} unread notifications`);

export const digestEmail = ({ entries, count }: Digest, { home, unsubscribe }: MailingLinks): EmailContent =>
  emailOf({
    subject: `Your digest: ${counted(count)}`,
    paragraphs: [`You have ${counted(count)}${count > entries.length ? `. The newest ${entries.length}:` : ':'}`],
    entries,
    action: { label: 'Open Roughmix', link: home },
    footer: 'You get this e-mail because the daily digest is on in your settings.',
    unsubscribeLink: unsubscribe,
  });

/** Reminders that exceeded the limit of an hour. */
export interface MoreReminders {
  readonly count: number;
  /** There may be more than were counted. */
  readonly isMore: boolean;
}

export function moreRemindersEmail({ count, isMore }: MoreReminders, { home, unsubscribe }: MailingLinks): EmailContent {
  const reminders = `${isMore ? 'At least ' : ''}${count} more ${count === 1 ? 'reminder' : 'reminders'}`;
  return emailOf({
    subject: reminders,
    paragraphs: [`${reminders} of todos ${count === 1 ? 'is' : 'are'} waiting for you. We send at most five e-mails about reminders in an hour.`],
    action: { label: 'Open Roughmix', link: home },
    footer: 'You get this e-mail because reminder e-mails are on in your settings.',
    unsubscribeLink: unsubscribe,
  });
}

/** What the e-mail of a todo's reminder is made of. Its text depends on when it is sent. */
export interface ReminderFacts {
  readonly reminder: Reminder;
  /** What follows the time in the sentence, typed text included: ': Tune the snare (Low tide)'. */
  readonly about: string;
  readonly link: string;
  readonly unsubscribeLink: string;
}

/** @param now when it is sent */
export function reminderEmail({ reminder, about, link, unsubscribeLink }: ReminderFacts, now: Instant): EmailContent {
  const subject = reminderSentenceAt(reminder, now);
  return emailOf({
    subject,
    paragraphs: [`${subject}${about}`],
    action: { label: 'Open the todo', link },
    footer: 'You get this e-mail because reminder e-mails are on in your settings.',
    unsubscribeLink,
  });
}
