import { USER_EVENT_CLASSES } from '@roughmix/contracts/users/user.events.js';
import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';
import { usersProjector } from './users.projector.js';

export const usersSlice: Slice = {
  name: 'users',
  stream: 'user-<uid>',
  eventClasses: USER_EVENT_CLASSES,
  projectors: [usersProjector],
  recordKinds: { accounts: KEPT, emails: KEPT, usernames: KEPT, 'retired-usernames': KEPT, erasures: KEPT },
  load: () => import('./users.module.js'),
};
