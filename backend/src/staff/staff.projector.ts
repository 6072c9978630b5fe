import type { StaffEvents } from '@roughmix/contracts/staff/staff.events.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { projector, type Projector, put, remove, update } from '../kernel/projector.js';
import { STAFF_ACCOUNTS, type StaffAccountDocument } from './staff.documents.js';

export const staffProjector: Projector = projector<StaffEvents & Pick<UserEvents, 'UserRegistered' | 'UserErased'>>(
  { name: 'staff', version: 1, collections: [{ name: STAFF_ACCOUNTS, indexes: [{ field: 'kind', sort: 'registeredAt' }] }] },
  {
    UserRegistered: ({ data: { uid, guest }, position }) =>
      guest ? [] : [put<StaffAccountDocument>(STAFF_ACCOUNTS, uid, { uid, kind: 'account', staffRole: null, registeredAt: position, position })],
    StaffRoleChanged: ({ data: { uid, to }, position }) => [
      update<StaffAccountDocument>(STAFF_ACCOUNTS, uid, (account) => ({ ...account, staffRole: to, position })),
    ],
    UserErased: ({ data }) => [remove(STAFF_ACCOUNTS, data.uid)],
  },
);
