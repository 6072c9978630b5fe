import type { ContactMessageView, InviteRequestState } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Id, Instant, Position } from '@roughmix/contracts/shared/ids.js';

export const INVITE_REQUESTS = 'invite-requests';
export const CONTACT_MESSAGES = 'contact-messages';

/** The value of `list` in every document: all of a collection are found by it. */
export const LISTED = 'all';

interface Inquiry {
  readonly inquiryId: Id;
  readonly list: typeof LISTED;
  readonly dateAdded: Instant;
  /** The position of its first event, which orders the lists. */
  readonly addedAt: Position;
  readonly position: Position;
}

export interface InviteRequestDocument extends Inquiry {
  readonly email: string;
  readonly state: InviteRequestState;
}

export interface ContactMessageDocument extends Inquiry, Omit<ContactMessageView, '_id' | 'dateAdded' | 'position'> {}
