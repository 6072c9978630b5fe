import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { UpdateNewUserNotif } from '@roughmix/contracts/notifications/notification.api.js';
import type { Clock } from '../platform/clock.js';
import { parseBody } from '../platform/http/body.js';
import type { MessageSource, Sender } from '../platform/live/message-sources.js';
import { CLOCK } from '../platform/tokens.js';
import { SetChecklistItem } from './notifications.commands.js';

/** Ticks and unticks items of the sender's welcome checklist. */
@Injectable()
export class UpdateChecklist implements MessageSource {
  readonly message = 'update-newUserNotif';

  constructor(
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Refused `notification.not-found` without a card */
  async answer({ caller: { uid } }: Sender, body: unknown): Promise<object> {
    const { item, done } = parseBody(UpdateNewUserNotif, body);
    const commandId = randomUUID();
    const context = { actor: { uid }, at: this.clock(), commandId, correlationId: commandId, causationId: null };
    const answer = await this.commands.execute(new SetChecklistItem(context, uid, item, done));
    return { ...answer.body, ...(answer.position === null ? {} : { position: answer.position }) };
  }
}
