import type { PushOf, Topic } from '@roughmix/contracts/live.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { RehearsalNoticeView, RehearsalView } from './rehearsal.view.js';

/** The members of a rehearsal. */
export const rehearsalTopic = (rehearsalId: Id): Topic => ({ kind: 'group', id: rehearsalId });

export type RehearsalPush = PushOf<RehearsalNoticeView['type'] | 'RehearsalMembers'> & { readonly view: RehearsalView; readonly ids?: undefined };

// A slice of the program has this line in ServerMessages instead.
declare module '@roughmix/contracts/live.js' {
  interface MoreMessages {
    rehearsals: (push: RehearsalPush) => void;
  }
}
