import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';

/** The vault's collection of e-mails, named when they were called letters. */
export const EMAILS = 'letters';

interface Attempts {
  readonly writtenAt: Instant;
  readonly tries: number;
  /** The error of the last attempt, without address or text; null before the first. */
  readonly reason: string | null;
}

/** The user an e-mail belongs to; it is deleted with them, by uid or by address. */
interface Owner {
  /** Null when unknown. */
  readonly uid: Uid | null;
  /** The address, normalized for comparison. */
  readonly address: string;
}

export interface WaitingEmail extends Attempts, Owner, Readonly<Record<string, unknown>> {
  readonly state: 'waiting';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly key: string;
  /** When to try it next. */
  readonly dueAt: Instant;
}

/** An undeliverable e-mail; its text is deleted. */
export interface UndeliveredEmail extends Attempts, Owner, Readonly<Record<string, unknown>> {
  readonly state: 'undelivered';
  readonly to: string;
  readonly reason: string;
  readonly endedAt: Instant;
}

/** A delivered e-mail, without address and text. It remains so that its key is not sent again. */
export interface SentEmail extends Readonly<Record<string, unknown>> {
  readonly state: 'sent';
  readonly uid: Uid | null;
  readonly endedAt: Instant;
}

export type EmailRecord = WaitingEmail | UndeliveredEmail | SentEmail;
