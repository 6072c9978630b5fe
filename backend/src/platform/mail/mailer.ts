/** A letter to one address, as text; an address never comes from an event. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Makes sending twice recognisable: becomes the Message-ID. */
  readonly key: string;
}

/** The letter itself cannot be delivered (no such address, refused for good): sending it again is of no use. */
export class LetterRefused extends Error {
  override readonly name = 'LetterRefused';
}

/** Hands letters to whoever delivers them. Resolves when the letter is in safe hands (accepted by the server, or on disk). */
export interface Mailer {
  /** @throws LetterRefused when it never can be; StoreAway when it cannot be now; DiskFull */
  send(letter: Letter): Promise<void>;
  close(): Promise<void>;
}
