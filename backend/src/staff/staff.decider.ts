import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { StaffEvent } from '@roughmix/contracts/staff/staff.events.js';
import type { StaffRole } from '@roughmix/contracts/users/user.view.js';
import type { CommandOf, Decider } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';

export interface StaffState {
  readonly role: StaffRole | null;
}

export type StaffCommand = CommandOf<{ ChangeStaffRole: { readonly uid: Uid; readonly role: StaffRole | null } }>;

/** A person's staff role, `staff-<uid>`. Only the system changes it, for the holder of the admin key. */
export const staffDecider: Decider<StaffState, StaffCommand, StaffEvent> = {
  name: 'staff',
  initial: () => ({ role: null }),
  evolve: (_state, { data }) => ({ role: data.to }),
  decide({ data: { uid, role } }, state, actor) {
    if (actor.uid !== null) return refuse('staff.required');
    return role === state.role ? [] : [{ type: 'StaffRoleChanged', data: { uid, from: state.role, to: role } }];
  },
  sees: (_state, actor) => (actor.uid === null ? null : refuse('staff.required')),
};
