import { kindOfPush, type NotificationType } from '@roughmix/contracts/notifications/notification.types.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Known } from './notification-facts.js';
import type { Notice } from './notification-rules.js';

/** An entry in the actor's own log, which is read from the start. */
export const isOwnEntry = (type: NotificationType): boolean => type !== 'UsersNew' && kindOfPush(type) === null;

/** Each receiver of an event with the one type that they get. */
export function receiversOf(notice: Notice, { meta }: StoredEvent, { project: facts }: Known): ReadonlyMap<Uid, NotificationType> {
  const receivers = new Map<Uid, NotificationType>();
  const isOutside = (type: NotificationType, uid: Uid): boolean => facts !== null && type !== 'ProjectUsersInvited' && !facts.memberUids.includes(uid);
  for (const [type, uids] of notice.to) {
    for (const uid of uids) {
      if (uid === null || receivers.has(uid) || isOutside(type, uid)) continue;
      if (uid !== meta.actorUid || isOwnEntry(type) || type === 'UsersNew') receivers.set(uid, type);
    }
  }
  return receivers;
}
