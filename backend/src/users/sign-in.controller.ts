import { Body, Controller, Get, HttpCode, Post, Req, Res, Inject } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody, LoginBody, SessionBody } from '@roughmix/contracts/users/user.api.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { deviceNameOf } from '../platform/auth/device-name.js';
import { ThrottledByAddress } from '../platform/auth/throttle.guard.js';
import { Throttle } from '../platform/auth/throttle.js';
import { type Caller, CurrentCaller, GuestMay, type GuardedRequest, Public } from '../platform/http/caller.js';
import { StaffQueries } from '../staff/staff.queries.js';
import { BrowserSessions } from './browser-sessions.js';
import { TimeZones } from './time-zones.js';
import { GUEST_UID } from './registrations.js';
import { SecurityNotices } from './security-notices.js';
import { SelfQueries } from './self.queries.js';
import { QuotasQueries } from '../quotas/quotas.queries.js';
import { SignIn } from './sign-in.js';

@Controller('api/auth')
@GuestMay()
export class SignInController {
  @Inject()
  private readonly quotas: QuotasQueries;

  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: BrowserSessions,
    private readonly selves: SelfQueries,
    private readonly throttle: Throttle,
    private readonly staff: StaffQueries,
    private readonly notices: SecurityNotices,
    private readonly timeZones: TimeZones,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Public()
  @ThrottledByAddress((throttle, address) => throttle.passwordsOfAddress(address))
  async login(@Req() request: GuardedRequest, @Res({ passthrough: true }) reply: FastifyReply, @Body() body: LoginBody): Promise<SessionAnswer> {
    const { email, password, timeZone } = body;
    const account = await this.signIn.check({ email, password, address: request.ip, headers: request.headers });
    const { uid } = account;
    await this.timeZones.store(uid, timeZone);
    const sessionId = await this.sessions.startFor(uid, request, reply);
    // A lock or a change of the password between the check and the start of the session may have ended sessions just before this one.
    if (!(await this.signIn.isCurrent(account))) {
      await this.sessions.end({ uid, isGuest: false, sessionId }, reply);
      throw new Refused('auth.failed');
    }
    if (this.signIn.isNewDevice(account, request.headers))
      await this.notices.newDevice(uid, { device: deviceNameOf(request.headers['user-agent']), by: 'password' });
    return this.answer(uid);
  }

  @Post('guest')
  @HttpCode(200)
  @Public()
  @ThrottledByAddress((throttle, address) => throttle.guestsOfAddress(address))
  async guest(@Req() request: GuardedRequest, @Res({ passthrough: true }) reply: FastifyReply, @Body() _body: SessionBody): Promise<SessionAnswer> {
    await this.throttle.attempt(this.throttle.guestsOfAddress(request.ip));
    await this.sessions.startForGuest(request, reply);
    return this.answer(GUEST_UID);
  }

  @Post('logout')
  @HttpCode(204)
  async logout(@CurrentCaller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply, @Body() _body: EmptyBody): Promise<void> {
    await this.sessions.end(caller, reply);
  }

  @Get('session')
  @Public()
  async session(@CurrentCaller() caller: Caller): Promise<SessionAnswer> {
    return { ...(await this.answer(caller.uid)), quota: caller.isGuest ? null : await this.quotas.of(caller.uid) };
  }

  private async answer(uid: Uid): Promise<SessionAnswer> {
    return { user: await this.selves.view(uid), staffRole: await this.staff.roleOf(uid) };
  }
}
