/** A letter to one address, as text; an address never comes from an event. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Makes sending twice recognisable: becomes the Message-ID. */
  readonly key: string;
}

/** Hands letters to whoever delivers them. Resolves when the letter is in safe hands (accepted by the server, or on disk). */
export interface Mailer {
  send(letter: Letter): Promise<void>;
  close(): Promise<void>;
}
