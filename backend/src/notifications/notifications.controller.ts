import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DismissAllBody } from '@roughmix/contracts/notifications/notification.api.js';
import { RESOURCE_KINDS } from '@roughmix/contracts/notifications/notification.types.js';
import type { DismissedAllAnswer, MarkedAsReadAnswer, NotificationsAnswer } from '@roughmix/contracts/notifications/notification.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { parseMap } from '../platform/http/body.js';
import { ActorParam, type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { type ListQuery, listRequest } from './notification-lists.js';
import { DismissAll, MarkAsRead } from './notifications.commands.js';
import { NotificationsQueries } from './notifications.queries.js';

@Controller('api/notifications')
export class NotificationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly notifications: NotificationsQueries,
  ) {}

  @Get(':uid')
  @ActorParam('uid')
  list(@Param('uid') uid: Uid, @Query() query: ListQuery): Promise<NotificationsAnswer> {
    return this.notifications.list(uid, listRequest(query));
  }

  /** The body itself is the map. */
  @Put('markAsRead')
  markAsRead(@CurrentCaller() { uid }: Caller, @CurrentContext() context: CommandContext, @Body() body: unknown): Promise<CommandAnswer<MarkedAsReadAnswer>> {
    const kinds = parseMap(body, RESOURCE_KINDS, LIMITS.idsInOneCall);
    return this.commands.execute(new MarkAsRead(context, uid, [...kinds.keys()]));
  }

  @Put('dismissAll')
  dismissAll(
    @CurrentCaller() { uid }: Caller,
    @CurrentContext() context: CommandContext,
    @Body() { set }: DismissAllBody,
  ): Promise<CommandAnswer<DismissedAllAnswer>> {
    return this.commands.execute(new DismissAll(context, uid, set));
  }
}
