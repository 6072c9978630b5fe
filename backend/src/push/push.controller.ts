import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { EndPushSubscriptionBody, PushSubscriptionBody } from '@roughmix/contracts/push/push.api.js';
import type { PushKeyAnswer, PushSubscriptionAnswer } from '@roughmix/contracts/push/push.view.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { PushSubscriptions } from '../platform/push/push-subscriptions.js';
import { WebPush } from '../platform/push/web-push.js';

/** Where the caller's browser gets push messages. */
@Controller('api/push')
export class PushController {
  constructor(
    private readonly webPush: WebPush,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Get('key')
  key(): PushKeyAnswer {
    return { key: this.webPush.key };
  }

  @Post('subscriptions')
  async subscribe(@CurrentCaller() caller: Caller, @Body() { endpoint, keys }: PushSubscriptionBody): Promise<PushSubscriptionAnswer> {
    return { _id: await this.subscriptions.add(caller, { endpoint, p256dh: keys.p256dh, auth: keys.auth }) };
  }

  @Delete('subscriptions')
  @HttpCode(204)
  async unsubscribe(@CurrentCaller() { uid }: Caller, @Body() { endpoint }: EndPushSubscriptionBody): Promise<void> {
    await this.subscriptions.remove(uid, endpoint);
  }
}
