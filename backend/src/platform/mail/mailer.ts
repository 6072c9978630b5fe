/** A plain-text e-mail to one address, which never comes from an event. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Becomes the Message-ID, by which mail programs recognize a duplicate. */
  readonly key: string;
}

/** The e-mail can never be delivered, for example because the address does not exist. Retrying is of no use. */
export class EmailRefused extends Error {
  override readonly name = 'EmailRefused';
}

/** Passes e-mails on for delivery. */
export interface Mailer {
  /** Resolves when the mail server has accepted the e-mail, or it is on disk. @throws EmailRefused permanently; ServiceUnavailable for now; DiskFull */
  send(email: Email): Promise<void>;
  close(): Promise<void>;
}
