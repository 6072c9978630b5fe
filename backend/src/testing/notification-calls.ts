import { setTimeout as pause } from 'node:timers/promises';
import { NOTIFICATION_PATHS } from '@roughmix/contracts/notifications/notification.paths.js';
import type { NotificationType } from '@roughmix/contracts/notifications/notification.types.js';
import type { MarkedAsReadAnswer, NotificationsAnswer, NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { Person } from './app.js';
import { type Answer, bodyOf } from './test-client.js';

const DEADLINE_MS = 20_000;

/** A user's notifications. @param query as `?set=other` */
export const notificationsOf = async (who: Person, query = ''): Promise<NotificationsAnswer> =>
  bodyOf(await who.get<NotificationsAnswer>(`${NOTIFICATION_PATHS.list(who.uid)}${query}`));

/** A user's notifications once they fit: the event may be someone else's, whose read model nobody has waited for. */
export async function notificationsWhen(who: Person, fits: (answer: NotificationsAnswer) => boolean): Promise<NotificationsAnswer> {
  for (const until = Date.now() + DEADLINE_MS; ;) {
    const answer = await notificationsOf(who);
    if (fits(answer)) return answer;
    if (Date.now() > until) throw new Error(`the notifications are ${JSON.stringify(answer)}`);
    await pause(10);
  }
}

/** A user's newest notification, once it is of a type and about a resource or project, if one is given. */
export async function newest(who: Person, type: NotificationType, about?: string): Promise<NotificationView> {
  const fits = (view: NotificationView | undefined): boolean =>
    view?.type === type && (about === undefined || view.resourceId === about || view.parentResourceId === about);
  const { notifications } = await notificationsWhen(who, (answer) => fits(answer.notifications[0]));
  return notifications[0] as NotificationView;
}

export const markAsRead = (who: Person, ids: readonly string[], headers = {}): Promise<Answer<MarkedAsReadAnswer>> =>
  who.put<MarkedAsReadAnswer>(NOTIFICATION_PATHS.markAsRead, Object.fromEntries(ids.map((id) => [id, 'Comments'])), headers);
