import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { projector, type Projector, put } from '../kernel/projector.js';
import { erasedUser, searchKeysOf, type UserDocument, USERS } from './users.documents.js';

export const usersProjector: Projector = projector<UserEvents>(
  { name: 'users', version: 2, collections: [{ name: USERS, indexes: [{ field: 'searchKeys', sort: 'username' }] }] },
  {
    UserRegistered: ({ data, meta, position }) => {
      const { uid, username, firstName, lastName, guest } = data;
      const searchKeys = guest ? [] : searchKeysOf(data);
      return [put<UserDocument>(USERS, uid, { uid, username, firstName, lastName, guest, dateAdded: meta.at, erased: false, searchKeys, position })];
    },
    UserErased: ({ data, position }) => [put<UserDocument>(USERS, data.uid, erasedUser(data.uid, position))],
  },
);
