import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StaffRole } from '@roughmix/contracts/users/user.view.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Documents, foldedBy } from '../testing/projected-documents.js';
import { storedEvent } from '../testing/stored-event.js';
import { openTestStores, type TestStores } from '../testing/test-stores.js';
import { staffProjector } from './staff.projector.js';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const registered = (uid: string, position: number, guest = false): StoredEvent =>
  storedEvent(
    { type: 'UserRegistered', data: { uid, username: 'Jo', firstName: 'Jo', lastName: 'Bell', guest } },
    { stream: `user-${uid}`, revision: 0, position },
  );
const changed = (from: StaffRole | null, to: StaffRole | null, position: number): StoredEvent =>
  storedEvent({ type: 'StaffRoleChanged', data: { uid: 'ana', from, to } }, { stream: 'staff-ana', revision: position, position });
const erased: StoredEvent = storedEvent({ type: 'UserErased', data: { uid: 'ana' } }, { stream: 'user-ana', revision: 1, position: 9 });

/** The documents after the events, each delivered twice. */
const folded = (...events: readonly StoredEvent[]): Promise<Documents> => foldedBy(stores, staffProjector, [...events, ...events]);
const account = { uid: 'ana', kind: 'account', staffRole: null, registeredAt: 1, position: 1 };

test('everyone who registers has an account, except the guest', async () => {
  expect(await folded(registered('ana', 1), registered('guest', 2, true))).toEqual({ 'staff-accounts/ana': account });
});

test('an account shows the role that was given last', async () => {
  const history = [registered('ana', 1), changed(null, 'support', 2), changed('support', 'admin', 3)];
  expect(await folded(...history)).toEqual({ 'staff-accounts/ana': { ...account, staffRole: 'admin', position: 3 } });
  expect(await folded(...history, changed('admin', null, 4))).toEqual({ 'staff-accounts/ana': { ...account, position: 4 } });
});

test('an erased account is removed, and a later role does not bring it back', async () => {
  expect(await folded(registered('ana', 1), erased)).toEqual({ 'staff-accounts/ana': null });
  expect(await folded(erased, changed(null, 'admin', 10))).toEqual({ 'staff-accounts/ana': null });
});
