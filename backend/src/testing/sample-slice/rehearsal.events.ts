import type { EventClasses, EventOf } from '@roughmix/contracts/shared/field-classes.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';

export interface RehearsalEvents {
  RehearsalScheduled: { readonly hostUid: Uid; readonly invitedUids: readonly Uid[]; readonly place: string; readonly startsAt: Instant };
  RehearsalJoined: { readonly uid: Uid };
  RehearsalLeft: { readonly uid: Uid };
  RehearsalMoved: { readonly from: Instant; readonly to: Instant };
  RehearsalCancelled: { readonly startsAt: Instant };
  RehearsalStarted: { readonly startsAt: Instant };
}

export type RehearsalEvent = EventOf<RehearsalEvents>;

export const REHEARSAL_EVENT_CLASSES: EventClasses<RehearsalEvents> = {
  RehearsalScheduled: { hostUid: 'plain', invitedUids: 'plain', place: 'content', startsAt: 'plain' },
  RehearsalJoined: { uid: 'plain' },
  RehearsalLeft: { uid: 'plain' },
  RehearsalMoved: { from: 'plain', to: 'plain' },
  RehearsalCancelled: { startsAt: 'plain' },
  RehearsalStarted: { startsAt: 'plain' },
};

/** The stream of a rehearsal. */
export const rehearsalStream = (rehearsalId: Id): string => `rehearsal-${rehearsalId}`;
