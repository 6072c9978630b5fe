import { STAFF_EVENT_CLASSES } from '@roughmix/contracts/staff/staff.events.js';
import type { Slice } from '../platform/slice.js';
import { staffProjector } from './staff.projector.js';

/** Roles have streams of their own: they are granted by the operator, not part of a person's profile, and checked on every request of staff. */
export const staffSlice: Slice = {
  name: 'staff',
  stream: 'staff-<uid>',
  eventClasses: STAFF_EVENT_CLASSES,
  projectors: [staffProjector],
  load: () => import('./staff.module.js'),
};
