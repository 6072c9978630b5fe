import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Document } from '../documents/documents.js';
import type { ReminderFacts } from './templates/mailing-emails.js';

/** The vault's collection of e-mails, named when they were called letters. */
export const EMAILS = 'letters';

interface Attempts {
  readonly writtenAt: Instant;
  readonly tries: number;
  /** The error of the last attempt, without address or text; null before the first. */
  readonly reason: string | null;
}

/** Whom an e-mail belongs to; it is deleted with them, by uid or by address. Addresses are keyed hashes, in records of earlier versions the addresses themselves. */
interface Owner {
  /** Null when unknown. */
  readonly uid: Uid | null;
  /** The receiver's. Delivered e-mails of earlier versions have none. */
  readonly address?: string;
  /** Of the person whom an e-mail to someone else is about. */
  readonly about?: string;
  /** People whom the e-mail names or quotes; it is deleted with them, too. */
  readonly names?: readonly Uid[];
}

/** What is readable of a waiting e-mail without opening it. */
export interface QueuedEmail extends Attempts, Owner, Readonly<Record<string, unknown>> {
  readonly state: 'waiting';
  /** When its link becomes invalid; it is not sent after that. */
  readonly expiresAt?: Instant;
  /** When to try it next. */
  readonly dueAt: Instant;
  /** Mailings only: the user whose actions caused it. Account e-mails have none; they are delivered first. */
  readonly causedBy?: Uid;
}

export interface WaitingEmail extends QueuedEmail {
  readonly to: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly unsubscribe?: string;
  readonly reminder?: ReminderFacts;
  readonly key: string;
}

/** An undeliverable e-mail; its text is deleted. */
export interface UndeliveredEmail extends Attempts, Owner, Readonly<Record<string, unknown>> {
  readonly state: 'undelivered';
  readonly to: string;
  readonly reason: string;
  readonly endedAt: Instant;
}

/** A delivered e-mail, without address and text. It remains so that its key is not sent again, and its file in the outbox can be found. */
export interface SentEmail extends Owner, Readonly<Record<string, unknown>> {
  readonly state: 'sent';
  readonly endedAt: Instant;
}

/** What the vault stores in place of the receiver, and of everything that a waiting e-mail says. Missing in the records of earlier versions. */
export interface SealedParts {
  readonly sealedTo?: string;
  readonly sealedContent?: string;
}

export type EmailRecord = WaitingEmail | UndeliveredEmail | SentEmail;

/** The owner of an e-mail, for the record that follows it. */
export const ownerOf = ({ uid, address, about, names }: Owner): Owner => ({
  uid,
  ...(address === undefined ? {} : { address }),
  ...(about === undefined ? {} : { about }),
  ...(names === undefined ? {} : { names }),
});

const isWaiting = (body: Document): body is QueuedEmail => body['state'] === 'waiting';

/** A waiting e-mail that is given up without being opened. Its receiver stays sealed; its text is deleted. */
export function givenUpUnopened(body: QueuedEmail, { reason, endedAt }: Pick<UndeliveredEmail, 'reason' | 'endedAt'>): Document {
  const { sealedTo, to, writtenAt, tries } = body as QueuedEmail & SealedParts;
  const receiver = sealedTo === undefined ? { to } : { sealedTo };
  return { state: 'undelivered', ...receiver, ...ownerOf(body), writtenAt, tries, reason, endedAt } satisfies Omit<UndeliveredEmail, 'to'>;
}

/** After a restore: an e-mail that waited when the copy was made has probably been sent since, so it is not sent again. */
export function settledEmail(body: Document, restoredAt: Instant): Document {
  return isWaiting(body) ? givenUpUnopened(body, { reason: 'a restored copy contained it; it may have been sent before', endedAt: restoredAt }) : body;
}
