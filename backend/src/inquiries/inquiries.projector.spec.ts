import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InquiryEvent } from '@roughmix/contracts/inquiries/inquiry.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Documents, foldedBy } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { inquiriesProjector } from './inquiries.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const at = (event: InquiryEvent, position: number): StoredEvent =>
  storedEvent(event, { stream: 'site', revision: position - 1, position, at: position * 1_000 });
const requested = (inquiryId: string, position: number, email = 'ana@example.org'): StoredEvent =>
  at({ type: 'InviteRequested', data: { inquiryId, email, emailed: true } }, position);
const written = { firstName: 'Ana', lastName: 'Reyes', fullName: 'Ana Reyes', company: 'Tides', phone: '1', subscribe: true };
const sent = (inquiryId: string, position: number, replyTo = 'ana@example.org'): StoredEvent =>
  at({ type: 'ContactMessageSent', data: { inquiryId, ...written, replyTo, content: 'Hello', emailed: false } }, position);

/** The documents after the events, each delivered twice. */
const folded = (...events: readonly StoredEvent[]): Promise<Documents> => foldedBy(stores, inquiriesProjector, [...events, ...events]);
const request = (inquiryId: string, addedAt: number) => ({ inquiryId, email: 'ana@example.org', list: 'all', dateAdded: addedAt * 1_000, addedAt });

test('invite requests are listed with their state', async () => {
  const declined = at({ type: 'InviteRequestDeclined', data: { inquiryId: 'r1' } }, 3);
  const accepted = at({ type: 'InviteRequestAccepted', data: { inquiryId: 'r2', uid: 'ana' } }, 4);
  expect(await folded(requested('r1', 1), requested('r2', 2), declined, accepted)).toEqual({
    'invite-requests/r1': { ...request('r1', 1), state: 'declined', position: 3 },
    'invite-requests/r2': { ...request('r2', 2), state: 'accepted', position: 4 },
  });
});

test('contact messages are listed as they were written', async () => {
  const message = {
    inquiryId: 'm1',
    ...written,
    reply_to: 'ana@example.org',
    message_content: 'Hello',
    list: 'all',
    dateAdded: 1_000,
    addedAt: 1,
    position: 1,
  };
  expect(await folded(sent('m1', 1))).toEqual({ 'contact-messages/m1': message });
});

test('deleted inquiries are gone', async () => {
  const deleted = at({ type: 'InquiriesDeleted', data: { inquiryIds: ['r1', 'm2'] } }, 3);
  expect(Object.values(await folded(requested('r1', 1), sent('m2', 2), deleted))).toEqual([null, null, null, null]);
});

test('an inquiry whose key is destroyed is not listed', async () => {
  expect(await folded(requested('r1', 1, ''), sent('m2', 2, ''))).toEqual({});
});
