import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import { projector, type Projector, put } from '../kernel/projector.js';
import { searchKeysOf, type UserDocument, USERS } from './users.documents.js';

export const usersProjector: Projector = projector<UserEvents>(
  { name: 'users', version: 1, collections: [{ name: USERS, indexes: [{ field: 'searchKeys', sort: 'username' }] }] },
  {
    UserRegistered: ({ data, meta, position }) => {
      const { uid, username, firstName, lastName, guest } = data;
      const searchKeys = guest ? [] : searchKeysOf(data);
      return [put<UserDocument>(USERS, uid, { uid, username, firstName, lastName, guest, dateAdded: meta.at, searchKeys, position })];
    },
  },
);
