import type { EventClasses, EventOf } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';

/** The stream of the site: invite requests and contact messages of people without an account, and since when it has notifications. */
export const SITE_STREAM = 'site';

/**
 * The events of {@link SITE_STREAM}. What people typed is sealed under a key of its own for each inquiry, whose id stands in for a uid. `emailed` tells
 * whether the operator gets an e-mail about it.
 */
export interface InquiryEvents {
  InviteRequested: { readonly inquiryId: Id; readonly email: string; readonly emailed: boolean };
  InviteRequestDeclined: { readonly inquiryId: Id };
  /** The account that was created for it. */
  InviteRequestAccepted: { readonly inquiryId: Id; readonly uid: Uid };
  ContactMessageSent: {
    readonly inquiryId: Id;
    readonly firstName: string;
    readonly lastName: string;
    readonly fullName: string;
    readonly company: string;
    readonly phone: string;
    /** The sender's e-mail address. */
    readonly replyTo: string;
    readonly subscribe: boolean;
    readonly content: string;
    readonly emailed: boolean;
  };
  /** Their keys are destroyed: they were too old, or someone's data was erased. */
  InquiriesDeleted: { readonly inquiryIds: readonly Id[] };
  /** The first start of a program that has notifications. News from before counts as read. */
  NotificationsStarted: Readonly<Record<string, never>>;
}

const ofSender = { personal: 'inquiryId' } as const;

export const INQUIRY_EVENT_CLASSES: EventClasses<InquiryEvents> = {
  InviteRequested: { inquiryId: 'plain', email: ofSender, emailed: 'plain' },
  InviteRequestDeclined: { inquiryId: 'plain' },
  InviteRequestAccepted: { inquiryId: 'plain', uid: 'plain' },
  ContactMessageSent: {
    inquiryId: 'plain',
    firstName: ofSender,
    lastName: ofSender,
    fullName: ofSender,
    company: ofSender,
    phone: ofSender,
    replyTo: ofSender,
    subscribe: 'plain',
    content: ofSender,
    emailed: 'plain',
  },
  InquiriesDeleted: { inquiryIds: 'plain' },
  NotificationsStarted: {},
};

export type InquiryEvent = EventOf<InquiryEvents>;
