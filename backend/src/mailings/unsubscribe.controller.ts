import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { MAILING_PATHS } from '@roughmix/contracts/mailings/mailing.paths.js';
import type { FastifyReply } from 'fastify';
import { AnyOrigin, GuestMay, Public } from '../platform/http/caller.js';
import { Unsubscriptions } from './unsubscriptions.js';

/** Links of e-mails that users can turn off. Their holders need no session. */
@Controller('api/mail/unsubscribe')
@Public()
export class UnsubscribeController {
  constructor(private readonly unsubscriptions: Unsubscriptions) {}

  /** Mail programs and filters follow links, so this changes nothing. */
  @Get(':token')
  async show(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    await this.unsubscriptions.require(token);
    await reply.redirect(MAILING_PATHS.page(token), 303);
  }

  /** Mail providers send this as a form (RFC 8058), from anywhere. The body is not read: the path says everything. */
  @Post(':token')
  @HttpCode(204)
  @AnyOrigin()
  @GuestMay()
  async turnOff(@Param('token') token: string): Promise<void> {
    await this.unsubscriptions.turnOff(token);
  }
}
