import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { RehearsalForAccess } from './rehearsal.access.js';
import type { RehearsalNoticeView, RehearsalView } from './rehearsal.view.js';

export const REHEARSALS = 'rehearsals';
export const REHEARSAL_MEMBERS = 'rehearsal-members';
export const REHEARSAL_NOTICES = 'rehearsal-notices';

export interface RehearsalDocument extends RehearsalForAccess, Pick<RehearsalView, 'place' | 'startsAt' | 'phase'> {
  readonly rehearsalId: Id;
  readonly position: Position;
}

/** One per member and rehearsal. */
export interface RehearsalMember {
  readonly rehearsalId: Id;
  readonly uid: Uid;
}

/** One per member and event. */
export interface RehearsalNotice extends RehearsalNoticeView {
  readonly uid: Uid;
}
