import type { Instant } from '@roughmix/contracts/shared/ids.js';

/** What an e-mail says. */
export interface EmailContent {
  readonly subject: string;
  readonly text: string;
  /** The same as HTML without remote content; without it the e-mail is plain text. */
  readonly html?: string;
}

/** An e-mail to one address. Addresses are never read from events. */
export interface Email extends EmailContent {
  readonly to: string;
  /** The bare address that replies go to; without it, the sender. */
  readonly replyTo?: string;
  /** A URL to which one POST, with the secret in its path, turns off e-mails of this kind (RFC 8058). Only e-mails that users can turn off have one. */
  readonly unsubscribe?: string;
  /** Becomes the Message-ID, by which mail programs recognize a duplicate. */
  readonly key: string;
  /** When it was written. */
  readonly date: Instant;
}

/** The e-mail can never be delivered, for example because the address does not exist. Retrying will not help. */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}

/** The files of e-mails that were kept instead of being passed on. E-mails are named by their ids (`nameOfKey`). */
export interface EmailFiles {
  /** Deletes the files of e-mails, for example because their user is erased. */
  remove(ids: readonly string[]): Promise<void>;
  /** The ids of the e-mails that it has files of. */
  ids(): Promise<readonly string[]>;
  /** Deletes files older than seven days. */
  sweep(now: Instant): Promise<void>;
}

/** Passes e-mails on for delivery. */
export interface Mailer {
  /** Resolves when the mail server has accepted the e-mail, or it is on disk. @throws EmailRefused if permanent, ServiceUnavailable if temporary, DiskFull */
  send(email: Email): Promise<void>;
  /** Null if there are none. */
  readonly files: EmailFiles | null;
  close(): Promise<void>;
}
