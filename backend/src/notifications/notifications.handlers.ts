import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Checklist, NOTHING_TICKED } from '@roughmix/contracts/notifications/notification.types.js';
import type { ChecklistAnswer, DismissedAllAnswer, MarkedAsReadAnswer } from '@roughmix/contracts/notifications/notification.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { InboxStreams } from './inbox.streams.js';
import { DismissAll, MarkAsRead, SetChecklistItem } from './notifications.commands.js';
import { isUnread } from './notifications.documents.js';
import { NotificationsQueries } from './notifications.queries.js';

@CommandHandler(MarkAsRead)
export class MarkAsReadHandler implements ICommandHandler<MarkAsRead> {
  constructor(
    private readonly streams: InboxStreams,
    private readonly notifications: NotificationsQueries,
  ) {}

  async execute({ context, uid, notificationIds }: MarkAsRead): Promise<CommandAnswer<MarkedAsReadAnswer>> {
    const done = await this.streams.run(context, uid, async () => {
      const [own, inbox] = await Promise.all([this.notifications.ownedBy(uid, notificationIds), this.notifications.inboxOf(uid)]);
      return { type: 'MarkRead', data: { notificationIds: own.filter((each) => isUnread(each, inbox)).map((each) => each.notificationId) } };
    });
    return this.streams.answer(done, async () => ({
      read: (await this.notifications.ownedBy(uid, notificationIds)).map((each) => each.notificationId),
      counts: await this.notifications.counts(uid),
    }));
  }
}

@CommandHandler(DismissAll)
export class DismissAllHandler implements ICommandHandler<DismissAll> {
  constructor(
    private readonly streams: InboxStreams,
    private readonly notifications: NotificationsQueries,
  ) {}

  async execute({ context, uid, set }: DismissAll): Promise<CommandAnswer<DismissedAllAnswer>> {
    const done = await this.streams.run(context, uid, async () => {
      const { unread, isCardUnread } = await this.notifications.inboxOf(uid);
      return { type: 'DismissAll', data: { set, isNeeded: unread[set] > (set === 'other' && isCardUnread ? 1 : 0) } };
    });
    return this.streams.answer(done, async () => ({ counts: await this.notifications.counts(uid) }));
  }
}

@CommandHandler(SetChecklistItem)
export class SetChecklistItemHandler implements ICommandHandler<SetChecklistItem> {
  constructor(
    private readonly streams: InboxStreams,
    private readonly notifications: NotificationsQueries,
  ) {}

  async execute({ context, uid, item, done }: SetChecklistItem): Promise<CommandAnswer<ChecklistAnswer>> {
    const executed = await this.streams.run(context, uid, async () => {
      const isNeeded = (await this.checklist(uid))[item] !== done;
      return { type: 'SetChecklistItem', data: { item, done, isNeeded } };
    });
    return this.streams.answer(executed, async () => ({ checklist: await this.checklist(uid) }));
  }

  private async checklist(uid: Uid): Promise<Checklist> {
    const card = await this.notifications.card(uid);
    if (card === null) throw new Refused('notification.not-found');
    return card.checklist ?? NOTHING_TICKED;
  }
}

export const notificationHandlers = [MarkAsReadHandler, DismissAllHandler, SetChecklistItemHandler];
