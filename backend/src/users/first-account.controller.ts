import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { FirstAccountBody } from '@roughmix/contracts/users/user.api.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply } from 'fastify';
import { GuestMay, type GuardedRequest, Public } from '../platform/http/caller.js';
import { StaffQueries } from '../staff/staff.queries.js';
import { BrowserSessions } from './browser-sessions.js';
import { FirstAccount } from './first-account.js';
import { SelfQueries } from './self.queries.js';
import { TimeZones } from './time-zones.js';

@Controller('api/auth/firstAccount')
@Public()
@GuestMay()
export class FirstAccountController {
  constructor(
    private readonly firstAccount: FirstAccount,
    private readonly timeZones: TimeZones,
    private readonly sessions: BrowserSessions,
    private readonly selves: SelfQueries,
    private readonly staff: StaffQueries,
  ) {}

  /** Registers the first account with the token that the program printed, and signs it in. */
  @Post()
  async register(
    @Req() request: GuardedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { token, timeZone, ...registration }: FirstAccountBody,
  ): Promise<SessionAnswer> {
    const uid = await this.firstAccount.register(token, registration);
    await this.timeZones.store(uid, timeZone);
    await this.sessions.startFor(uid, request, reply);
    return { user: await this.selves.view(uid), staffRole: await this.staff.roleOf(uid) };
  }
}
