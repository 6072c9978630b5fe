import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import { type PageQuery, pageRequest } from '../platform/http/paging.js';
import { DeclineInviteRequest } from './inquiries.commands.js';
import { InquiriesQueries } from './inquiries.queries.js';

/** Invite requests, for whoever holds the admin key. */
@Controller('api/admin/:key/inviteRequests')
@AdminKeyOnly()
export class AdminInquiriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly inquiries: InquiriesQueries,
  ) {}

  @Get()
  list(@Query() query: PageQuery & { readonly state?: unknown }): Promise<InviteRequestsAnswer> {
    return this.inquiries.inviteRequests(query.state, pageRequest(query));
  }

  @Post(':id/decline')
  @HttpCode(204)
  async decline(@Param('id') id: Id, @Body() _body: EmptyBody): Promise<void> {
    await this.commands.execute(new DeclineInviteRequest(null, id));
  }
}
