import type { EventClasses, EventOf } from '../shared/field-classes.js';
import type { Uid } from '../shared/ids.js';
import type { StaffRole } from '../users/user.view.js';

/** The stream of a person's staff role, `staff-<uid>`. */
export interface StaffEvents {
  /** By the system, for a call with the admin key. Null: no role. */
  StaffRoleChanged: { readonly uid: Uid; readonly from: StaffRole | null; readonly to: StaffRole | null };
}

export const STAFF_EVENT_CLASSES: EventClasses<StaffEvents> = {
  StaffRoleChanged: { uid: 'plain', from: 'plain', to: 'plain' },
};

export type StaffEvent = EventOf<StaffEvents>;

/** The stream of a person's staff role. */
export const staffStream = (uid: Uid): string => `staff-${uid}`;
