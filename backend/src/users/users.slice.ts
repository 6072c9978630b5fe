import { USER_EVENT_CLASSES } from '@roughmix/contracts/users/user.events.js';
import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';
import { usersProjector } from './users.projector.js';

export const usersSlice: Slice = {
  name: 'users',
  stream: 'user-<uid>',
  eventClasses: USER_EVENT_CLASSES,
  projectors: [usersProjector],
  recordKinds: {
    accounts: KEPT,
    'reserved-emails': KEPT,
    'reserved-slugs': KEPT,
    erasures: KEPT,
    // Of earlier versions, in backups and until their accounts are sealed.
    emails: KEPT,
    usernames: KEPT,
    'retired-usernames': KEPT,
    'account-sealing': KEPT,
  },
  load: () => import('./users.module.js'),
};
