/** A plain-text e-mail to one address. Addresses are never read from events. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Becomes the Message-ID, by which mail programs recognize a duplicate. */
  readonly key: string;
}

/** The e-mail can never be delivered, for example because the address does not exist. Retrying will not help. */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}

/** Passes e-mails on for delivery. */
export interface Mailer {
  /** Resolves when the mail server has accepted the e-mail, or it is on disk. @throws EmailRefused if permanent, ServiceUnavailable if temporary, DiskFull */
  send(email: Email): Promise<void>;
  close(): Promise<void>;
}
