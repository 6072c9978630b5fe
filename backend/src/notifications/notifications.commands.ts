import { Command } from '@nestjs/cqrs';
import type { ChecklistItem, NotificationSet } from '@roughmix/contracts/notifications/notification.types.js';
import type { ChecklistAnswer, DismissedAllAnswer, MarkedAsReadAnswer } from '@roughmix/contracts/notifications/notification.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

export class MarkAsRead extends Command<CommandAnswer<MarkedAsReadAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly notificationIds: readonly Id[],
  ) {
    super();
  }
}

export class DismissAll extends Command<CommandAnswer<DismissedAllAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly set: NotificationSet,
  ) {
    super();
  }
}

export class SetChecklistItem extends Command<CommandAnswer<ChecklistAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly uid: Uid,
    readonly item: ChecklistItem,
    readonly done: boolean,
  ) {
    super();
  }
}
