import type { Id, Instant, Position } from '../shared/ids.js';

export type InviteRequestState = 'open' | 'accepted' | 'declined';

/** Someone who asked for an invite. */
export interface InviteRequestView {
  readonly _id: Id;
  readonly email: string;
  readonly dateAdded: Instant;
  readonly state: InviteRequestState;
  readonly position: Position;
}

/** A message from the contact form; fields that were left out are ''. */
export interface ContactMessageView {
  readonly _id: Id;
  readonly firstName: string;
  readonly lastName: string;
  readonly fullName: string;
  readonly company: string;
  readonly phone: string;
  readonly reply_to: string;
  readonly subscribe: boolean;
  readonly message_content: string;
  readonly dateAdded: Instant;
  readonly position: Position;
}

/** GET /api/staff/inviteRequests, also with the key. */
export interface InviteRequestsAnswer {
  readonly inviteRequests: readonly InviteRequestView[];
  readonly next: string | null;
}
/** GET /api/staff/contactMessages */
export interface ContactMessagesAnswer {
  readonly contactMessages: readonly ContactMessageView[];
  readonly next: string | null;
}
/** POST /api/inviteRequests */
export interface InviteRequestedAnswer {
  readonly message: 'Request sent';
}
/** POST /api/contact */
export interface ContactedAnswer {
  readonly message: 'Email successfully sent';
}
/** What the operator set, for texts that name it and for checks before an upload. */
export interface SiteLimits {
  /** The size from which audio files are refused. */
  readonly audioBytes: number;
  /** The largest file that the form for a new version takes. */
  readonly pickerBytes: number;
  /** Days until the files of removed items are deleted; 0: at once. */
  readonly trashDays: number;
}
/** GET /api/site */
export interface SiteAnswer {
  /** Null if the operator names none. */
  readonly supportEmail: string | null;
  /** The version of the program that serves the page. */
  readonly version: string;
  /** The commit that it was built from, abbreviated; null if unknown. */
  readonly commit: string | null;
  readonly limits: SiteLimits;
}
