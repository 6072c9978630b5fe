import type { InquiryEvent, InquiryEvents } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { InviteRequestState } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { distinctIds, type Id, type Instant, type Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandOf, Decider, Folds, Rules, Stored } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

/** An invite request or a contact message; of a message only its sender's address is needed, to find it when their data is erased. */
interface Inquiry {
  /** In its normal form; '' once the key that seals it is destroyed. */
  readonly email: string;
  readonly at: Instant;
  readonly state: InviteRequestState | 'message';
  /** The account of an accepted request. */
  readonly uid: Uid | null;
}

export interface SiteState {
  /** Every inquiry that was not deleted. */
  readonly inquiries: Record<Id, Inquiry>;
  /** When the newest inquiries that are e-mailed were sent, at most {@link EMAILED_AN_HOUR}, oldest first. */
  readonly emailed: Instant[];
  /** Whether the site has notifications. */
  readonly hasNotifications: boolean;
}

type Message = Omit<InquiryEvents['ContactMessageSent'], 'inquiryId' | 'emailed'>;

interface InquiryCommands {
  RequestInvite: { readonly inquiryId: Id; readonly email: string; readonly at: Instant };
  DeclineInviteRequest: { readonly inquiryId: Id };
  AcceptInviteRequest: { readonly inquiryId: Id; readonly uid: Uid };
  SendContactMessage: { readonly inquiryId: Id; readonly message: Message; readonly at: Instant };
  /** Ids that are gone are skipped. */
  DeleteInquiries: { readonly inquiryIds: readonly Id[] };
  StartNotifications: object;
}
export type InquiryCommand = CommandOf<InquiryCommands>;

/** Beyond this many inquiries in an hour the operator gets no e-mail about further ones. */
export const EMAILED_AN_HOUR = 200;
/** How many invite requests may be open and messages be kept, in all. Each is in the memory of every process, and each new one is compared with them. */
export const OPEN_INQUIRIES = 10_000;
const HOUR_MS = 60 * 60_000;

/** The inquiry of that id, if there is one. */
export const inquiryIn = ({ inquiries }: SiteState, id: Id): Inquiry | undefined => (Object.hasOwn(inquiries, id) ? inquiries[id] : undefined);

/** The invite request of that id, if there is one. */
export function inviteRequestIn(state: SiteState, id: Id): (Inquiry & { readonly state: InviteRequestState }) | undefined {
  const inquiry = inquiryIn(state, id);
  return inquiry === undefined || inquiry.state === 'message' ? undefined : { ...inquiry, state: inquiry.state };
}

/** The inquiries that an address sent. @param email in its normal form */
export const inquiriesOf = ({ inquiries }: SiteState, email: string): readonly Id[] =>
  Object.keys(inquiries).filter((id) => email !== '' && inquiries[id]?.email === email);

/** The inquiries sent at or before an instant, and those whose key is destroyed. */
export const inquiriesUntil = ({ inquiries }: SiteState, until: Instant): readonly Id[] =>
  Object.entries(inquiries).flatMap(([id, { at, email }]) => (at <= until || email === '' ? [id] : []));

/** Those whose key is destroyed: their deletion was interrupted. */
export const inquiriesWithoutKey = (state: SiteState): readonly Id[] => inquiriesUntil(state, -Infinity);

const isEmailed = ({ emailed }: SiteState, at: Instant): boolean => emailed.filter((each) => each > at - HOUR_MS).length < EMAILED_AN_HOUR;

const isFull = ({ inquiries }: SiteState): boolean =>
  Object.values(inquiries).filter(({ state }) => state === 'open' || state === 'message').length >= OPEN_INQUIRIES;
const TOO_MANY = refuse('inquiry.too-many');
const NOT_FOUND = refuse('inviteRequest.not-found');

const rules: Rules<InquiryCommands, SiteState, null, InquiryEvent> = {
  RequestInvite({ inquiryId, email, at }, state) {
    // First, so that a repeated request gets the same answer as a new one.
    if (isFull(state)) return TOO_MANY;
    const isOpen = inquiriesOf(state, email).some((id) => inquiryIn(state, id)?.state === 'open');
    return isOpen ? [] : [{ type: 'InviteRequested', data: { inquiryId, email, emailed: isEmailed(state, at) } }];
  },
  DeclineInviteRequest({ inquiryId }, state) {
    const request = inviteRequestIn(state, inquiryId);
    if (request === undefined) return NOT_FOUND;
    if (request.state === 'accepted') return refuse('inviteRequest.accepted');
    return request.state === 'declined' ? [] : [{ type: 'InviteRequestDeclined', data: { inquiryId } }];
  },
  AcceptInviteRequest({ inquiryId, uid }, state) {
    const request = inviteRequestIn(state, inquiryId);
    if (request === undefined) return NOT_FOUND;
    return request.state === 'accepted' ? [] : [{ type: 'InviteRequestAccepted', data: { inquiryId, uid } }];
  },
  SendContactMessage: ({ inquiryId, message, at }, state) =>
    isFull(state) ? TOO_MANY : [{ type: 'ContactMessageSent', data: { inquiryId, ...message, emailed: isEmailed(state, at) } }],
  DeleteInquiries(data, state) {
    const inquiryIds = distinctIds(data.inquiryIds).filter((id) => inquiryIn(state, id) !== undefined);
    return inquiryIds.length === 0 ? [] : [{ type: 'InquiriesDeleted', data: { inquiryIds } }];
  },
  StartNotifications: (_data, { hasNotifications }) => (hasNotifications ? [] : [{ type: 'NotificationsStarted', data: {} }]),
};

/** Adds an inquiry in place: copying the others for each event would make a long stream slow to fold. */
function added(state: SiteState, { inquiryId, emailed }: { readonly inquiryId: Id; readonly emailed: boolean }, inquiry: Inquiry): SiteState {
  state.inquiries[inquiryId] = inquiry;
  if (emailed) state.emailed.push(inquiry.at);
  if (state.emailed.length > EMAILED_AN_HOUR) state.emailed.shift();
  return state;
}

function changed(state: SiteState, id: Id, changes: Partial<Inquiry>): SiteState {
  const inquiry = inquiryIn(state, id);
  if (inquiry !== undefined) state.inquiries[id] = { ...inquiry, ...changes };
  return state;
}

const folds: Folds<InquiryEvents, SiteState> = {
  InviteRequested: (state, { data, meta }) => added(state, data, { email: data.email, at: meta.at, state: 'open', uid: null }),
  InviteRequestDeclined: (state, { data }) => changed(state, data.inquiryId, { state: 'declined' }),
  InviteRequestAccepted: (state, { data }) => changed(state, data.inquiryId, { state: 'accepted', uid: data.uid }),
  ContactMessageSent: (state, { data, meta }) => added(state, data, { email: data.replyTo, at: meta.at, state: 'message', uid: null }),
  InquiriesDeleted(state, { data }) {
    for (const id of data.inquiryIds) delete state.inquiries[id];
    return state;
  },
  NotificationsStarted: (state) => ({ ...state, hasNotifications: true }),
};

/** The stream `site`: requests and messages from outside, and what the operator does with them; and the start of notifications. */
export const inquiryDecider: Decider<SiteState, InquiryCommand, InquiryEvent> = {
  name: 'site',
  initial: () => ({ inquiries: {}, emailed: [], hasNotifications: false }),
  evolve: (state, event) => (folds[event.type] as (state: SiteState, event: Stored<InquiryEvent>) => SiteState)(state, event),
  decide: (command, state) =>
    (rules[command.type] as (data: InquiryCommand['data'], state: SiteState) => readonly InquiryEvent[] | Refusal)(command.data, state),
  sees: () => null,
};
