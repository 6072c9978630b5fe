import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ContactMessagesAnswer, InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { type PageQuery, pageRequest } from '../platform/http/paging.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { StaffOnly } from '../staff/staff.queries.js';
import { DeclineInviteRequest } from './inquiries.commands.js';
import { InquiriesQueries } from './inquiries.queries.js';

/** Invite requests and contact messages, for signed-in admins. */
@Controller('api/staff')
@StaffOnly('admin')
export class StaffInquiriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly inquiries: InquiriesQueries,
  ) {}

  @Get('inviteRequests')
  inviteRequests(@Query() query: PageQuery & { readonly state?: unknown }): Promise<InviteRequestsAnswer> {
    return this.inquiries.inviteRequests(query.state, pageRequest(query));
  }

  @Post('inviteRequests/:id/decline')
  @HttpCode(204)
  decline(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() _body: EmptyBody): Promise<CommandAnswer<undefined>> {
    return this.commands.execute(new DeclineInviteRequest(context, id));
  }

  @Get('contactMessages')
  contactMessages(@Query() query: PageQuery): Promise<ContactMessagesAnswer> {
    return this.inquiries.contactMessages(pageRequest(query));
  }
}
