import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply } from 'fastify';
import { AdminKeyOnly } from '../platform/auth/admin-key.guard.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { type PageQuery, pageRequest } from '../platform/http/paging.js';
import { AcceptInviteRequest, DeclineInviteRequest } from './inquiries.commands.js';
import { InquiriesQueries } from './inquiries.queries.js';

/** Invite requests, for the holder of the admin key. */
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
  decline(@Param('id') id: Id, @Body() _body: EmptyBody): Promise<CommandAnswer<undefined>> {
    return this.commands.execute(new DeclineInviteRequest(null, id));
  }

  /** Repeating it sends a new e-mail and answers 200, until the invited person has completed their profile. */
  @Post(':id/accept')
  async accept(@Param('id') id: Id, @Body() _body: EmptyBody, @Res({ passthrough: true }) reply: FastifyReply): Promise<UserAddedAnswer> {
    const { user, isRepeat } = await this.commands.execute(new AcceptInviteRequest(id));
    void reply.status(isRepeat ? 200 : 201);
    return { message: 'Account Created.', user };
  }
}
