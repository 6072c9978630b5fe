import { expect, test } from '@jest/globals';
import type { InquiryEvent } from '@roughmix/contracts/inquiries/inquiry.events.js';
import { SYSTEM, type Stored } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { storedEvent } from '../testing/stored-event.js';
import { EMAILED_AN_HOUR, OPEN_INQUIRIES, inquiriesOf, inquiriesUntil, type InquiryCommand, inquiryDecider, type SiteState } from './inquiry.decider.js';

const HOUR_MS = 60 * 60_000;

/** Each event happens a millisecond after the one before. */
const history = (...events: readonly InquiryEvent[]): SiteState =>
  events
    .map((event, at) => storedEvent(event, { stream: 'site', revision: at, position: at + 1, at: at + 1 }) as Stored<InquiryEvent>)
    .reduce((state, event) => inquiryDecider.evolve(state, event), inquiryDecider.initial());
const decide = (command: InquiryCommand, state: SiteState) => inquiryDecider.decide(command, state, SYSTEM);

const requested = (inquiryId: string, email = `${inquiryId}@example.org`, emailed = true): InquiryEvent => ({
  type: 'InviteRequested',
  data: { inquiryId, email, emailed },
});
const declined = (inquiryId: string): InquiryEvent => ({ type: 'InviteRequestDeclined', data: { inquiryId } });
const accepted = (inquiryId: string): InquiryEvent => ({ type: 'InviteRequestAccepted', data: { inquiryId, uid: 'ana' } });
const deleted = (...inquiryIds: readonly string[]): InquiryEvent => ({ type: 'InquiriesDeleted', data: { inquiryIds } });
const message = { firstName: 'Ana', lastName: 'Reyes', fullName: '', company: '', phone: '', replyTo: 'ana@example.org', subscribe: false, content: 'Hello' };
const sent = (inquiryId: string, emailed = true): InquiryEvent => ({ type: 'ContactMessageSent', data: { inquiryId, ...message, emailed } });
const request = (inquiryId: string, email = `${inquiryId}@example.org`, at = 10): InquiryCommand => ({ type: 'RequestInvite', data: { inquiryId, email, at } });
const decline = (inquiryId: string): InquiryCommand => ({ type: 'DeclineInviteRequest', data: { inquiryId } });
const accept = (inquiryId: string): InquiryCommand => ({ type: 'AcceptInviteRequest', data: { inquiryId, uid: 'ana' } });

test.each<readonly [what: string, state: SiteState, expected: readonly InquiryEvent[]]>([
  ['the first of an address', history(), [requested('r9', 'ana@example.org')]],
  ['one while another is open', history(requested('r1', 'ana@example.org')), []],
  ['one after a decline', history(requested('r1', 'ana@example.org'), declined('r1')), [requested('r9', 'ana@example.org')]],
  ['one of someone who has an account', history(requested('r1', 'ana@example.org'), accepted('r1')), [requested('r9', 'ana@example.org')]],
  ['one after the other was deleted', history(requested('r1', 'ana@example.org'), deleted('r1')), [requested('r9', 'ana@example.org')]],
  ['one after a contact message of the address', history(sent('m1')), [requested('r9', 'ana@example.org')]],
])('an invite request is recorded unless one of its address is open: %s', (_what, state, expected) => {
  expect(decide(request('r9', 'ana@example.org'), state)).toEqual(expected);
});

test.each<readonly [what: string, command: InquiryCommand, expected: ReturnType<typeof decide>]>([
  ['declines an open one', decline('open'), [declined('open')]],
  ['declines once', decline('declined'), []],
  ['cannot decline an accepted one', decline('accepted'), refuse('inviteRequest.accepted')],
  ['cannot decline what is no request', decline('message'), refuse('inviteRequest.not-found')],
  ['cannot decline a deleted one', decline('deleted'), refuse('inviteRequest.not-found')],
  ['cannot decline what never was', decline('constructor'), refuse('inviteRequest.not-found')],
  ['accepts an open one', accept('open'), [accepted('open')]],
  ['accepts a declined one', accept('declined'), [accepted('declined')]],
  ['accepts once', accept('accepted'), []],
  ['cannot accept what is no request', accept('message'), refuse('inviteRequest.not-found')],
  ['deletes what is there', { type: 'DeleteInquiries', data: { inquiryIds: ['open', 'deleted', 'message'] } }, [deleted('open', 'message')]],
  ['deletes nothing that is gone', { type: 'DeleteInquiries', data: { inquiryIds: ['deleted', 'never'] } }, []],
])('the operator %s', (_what, command, expected) => {
  const requests = ['open', 'declined', 'accepted', 'deleted'].map((id) => requested(id));
  expect(decide(command, history(...requests, sent('message'), declined('declined'), accepted('accepted'), deleted('deleted')))).toEqual(expected);
});

test('at most ten thousand requests and messages are open; those that were answered or deleted do not count', () => {
  const half = Array.from({ length: OPEN_INQUIRIES / 2 }, (_, at) => [requested(`r${at}`), sent(`m${at}`)]).flat();
  const send: InquiryCommand = { type: 'SendContactMessage', data: { inquiryId: 'm', message, at: 10 } };
  for (const command of [request('new'), request('again', 'r1@example.org'), send])
    expect(decide(command, history(...half))).toEqual(refuse('inquiry.too-many'));
  for (const change of [declined('r1'), accepted('r1'), deleted('m1')]) expect(decide(request('new'), history(...half, change))).toHaveLength(1);
});

test('of more than two hundred inquiries in an hour, further ones are not e-mailed', () => {
  const half = EMAILED_AN_HOUR / 2;
  const many = Array.from({ length: EMAILED_AN_HOUR }, (_, at) => (at < half ? requested(`r${at}`) : sent(`m${at}`)));
  const sendMessage: InquiryCommand = { type: 'SendContactMessage', data: { inquiryId: 'm', message, at: 1_000 } };
  expect(decide(request('new'), history(...many.slice(1)))).toEqual([requested('new')]);
  expect(decide(request('new'), history(...many))).toEqual([requested('new', 'new@example.org', false)]);
  expect(decide(sendMessage, history(...many))).toEqual([sent('m', false)]);
  expect(decide(request('new', 'new@example.org', HOUR_MS), history(...many))).toEqual([requested('new', 'new@example.org', false)]);
  expect(decide(request('new', 'new@example.org', HOUR_MS + 1), history(...many))).toEqual([requested('new')]);
});

test('those that were not e-mailed do not count, and only the newest two hundred are remembered', () => {
  const unsent = Array.from({ length: EMAILED_AN_HOUR }, (_, at) => requested(`u${at}`, `u${at}@example.org`, false));
  expect(decide(request('new'), history(...unsent))).toEqual([requested('new')]);
  const many = Array.from({ length: EMAILED_AN_HOUR + 50 }, (_, at) => requested(`r${at}`));
  expect(history(...many).emailed).toEqual(Array.from({ length: EMAILED_AN_HOUR }, (_, at) => at + 51));
});

test('inquiries are found by address and by age, and those without a key at any age', () => {
  const state = history(requested('r1', 'ana@example.org'), sent('m2'), requested('r3', ''), requested('r4', 'bob@example.org'), deleted('r4'));
  expect(inquiriesOf(state, 'ana@example.org')).toEqual(['r1', 'm2']);
  expect(inquiriesOf(state, '')).toEqual([]);
  expect(inquiriesUntil(state, 1)).toEqual(['r1', 'r3']);
  expect(inquiriesUntil(state, 0)).toEqual(['r3']);
});

test('the state is plain JSON', () => {
  const state = history(requested('r1'), sent('m2'), declined('r1'));
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});
