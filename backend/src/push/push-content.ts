import { Injectable } from '@nestjs/common';
import type { NotificationView } from '@roughmix/contracts/notifications/notification.view.js';
import type { PushPayload } from '@roughmix/contracts/push/push.view.js';
import { NotificationsQueries } from '../notifications/notifications.queries.js';
import { ReadModels } from '../platform/projections/read-models.js';
import type { NewPush } from '../platform/push/push-records.js';
import type { PushMessage } from '../platform/push/web-push.js';

const TITLE = 'Roughmix';
const ICON = '/site/icon-192.png';

const messageOf = ({ _id, type, message, href }: NotificationView): PushMessage => ({
  payload: JSON.stringify({ title: TITLE, body: message, icon: ICON, href, tag: _id } satisfies PushPayload),
  urgency: type === 'TodoReminder' ? 'high' : 'normal',
});

/** What push messages say: the notification as its receiver sees it now. */
@Injectable()
export class PushContent {
  constructor(
    private readonly reads: ReadModels,
    private readonly notifications: NotificationsQueries,
  ) {}

  /** Null once the notification has been read, or is gone. @throws Refused `store.away` while read models are not served */
  of({ uid, notificationId, position }: NewPush): Promise<PushMessage | null> {
    return this.reads.asOf(position, async () => {
      const [found] = await this.notifications.ownedBy(uid, [notificationId]);
      const view = found === undefined ? null : (await this.notifications.view(found)).view;
      return view?.isUnread === true ? messageOf(view) : null;
    });
  }
}
