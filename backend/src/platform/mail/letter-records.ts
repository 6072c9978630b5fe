import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';

export const LETTERS = 'letters';

/** When and how often a letter was tried, and what came of the last time. */
interface Tries {
  readonly writtenAt: Instant;
  readonly tries: number;
  /** Why the last try failed; null before the first. Holds neither address nor text. */
  readonly reason: string | null;
}

/** Whose letter it is, as far as that is known: it goes with them. */
interface OfSomebody {
  readonly uid: Uid | null;
  /** The address in the form in which addresses are compared. */
  readonly address: string;
}

/** A letter that is to be delivered. */
export interface WaitingLetter extends Tries, OfSomebody, Readonly<Record<string, unknown>> {
  readonly state: 'waiting';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly key: string;
  /** Not tried before. */
  readonly dueAt: Instant;
}

/** A letter that was given up. Its text is gone. */
export interface UndeliveredLetter extends Tries, OfSomebody, Readonly<Record<string, unknown>> {
  readonly state: 'undelivered';
  readonly to: string;
  readonly reason: string;
  readonly endedAt: Instant;
}

/** What is remembered of a delivered letter, so that its key is not sent again: neither address nor text. */
export interface SentLetter extends Readonly<Record<string, unknown>> {
  readonly state: 'sent';
  readonly uid: Uid | null;
  readonly endedAt: Instant;
}

export type LetterRecord = WaitingLetter | UndeliveredLetter | SentLetter;
