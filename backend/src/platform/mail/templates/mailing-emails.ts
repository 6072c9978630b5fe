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
