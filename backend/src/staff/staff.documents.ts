import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { StaffRole } from '@roughmix/contracts/users/user.view.js';

export const STAFF_ACCOUNTS = 'staff-accounts';

/** An account as staff list it: every person who registered, except the guest and erased ones. */
export interface StaffAccountDocument {
  readonly uid: Uid;
  readonly kind: 'account';
  readonly staffRole: StaffRole | null;
  /** The position of the registration, which orders the accounts. */
  readonly registeredAt: Position;
  readonly position: Position;
}
