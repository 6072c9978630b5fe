import { Body, Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ContactBody, InviteRequestBody } from '@roughmix/contracts/inquiries/inquiry.api.js';
import type { ContactedAnswer, InviteRequestedAnswer, SiteAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { ThrottledByAddress } from '../platform/auth/throttle.guard.js';
import type { Config } from '../platform/config/config.js';
import { GuestMay, type GuardedRequest, Public } from '../platform/http/caller.js';
import { LongBody } from '../platform/http/long-body.js';
import { CONFIG } from '../platform/tokens.js';
import { BUILD } from '../platform/version.js';
import { RequestInvite, SendContactMessage } from './inquiries.commands.js';

/** What visitors without an account may ask. */
@Controller('api')
@Public()
@GuestMay()
export class InquiriesController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SUPPORT_EMAIL' | 'AUDIO_LIMIT' | 'VERSION_PICKER_LIMIT' | 'TRASH_DAYS'>,
  ) {}

  @Get('site')
  site(): SiteAnswer {
    const { SUPPORT_EMAIL: supportEmail, AUDIO_LIMIT: audioBytes, VERSION_PICKER_LIMIT: pickerBytes, TRASH_DAYS: trashDays } = this.config;
    return { ...BUILD, supportEmail, limits: { audioBytes, pickerBytes, trashDays } };
  }

  @Post('inviteRequests')
  @HttpCode(202)
  @ThrottledByAddress((throttle, address) => throttle.inviteRequestsOfAddress(address))
  async requestInvite(@Req() request: GuardedRequest, @Body() body: InviteRequestBody): Promise<InviteRequestedAnswer> {
    await this.commands.execute(new RequestInvite(body, request.ip));
    return { message: 'Request sent' };
  }

  @Post('contact')
  @LongBody(LIMITS.contactJsonBytes)
  @HttpCode(202)
  @ThrottledByAddress((throttle, address) => throttle.contactMessagesOfAddress(address))
  async contact(@Req() request: GuardedRequest, @Body() body: ContactBody): Promise<ContactedAnswer> {
    await this.commands.execute(new SendContactMessage(body, request.ip));
    return { message: 'Email successfully sent' };
  }
}
