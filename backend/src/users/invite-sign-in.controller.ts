import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { SessionBody } from '@roughmix/contracts/users/user.api.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply } from 'fastify';
import { deviceNameOf } from '../platform/auth/device-name.js';
import { publicSessionId } from '../platform/auth/session-record.js';
import { ThrottledByAddress } from '../platform/auth/throttle.guard.js';
import { GuestMay, type GuardedRequest, Public } from '../platform/http/caller.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { StaffQueries } from '../staff/staff.queries.js';
import { TimeZones } from './time-zones.js';
import { InviteSignIn } from './invite-sign-in.js';
import { SecurityNotices } from './security-notices.js';
import { SelfQueries } from './self.queries.js';

@Controller('api/auth/invite')
@GuestMay()
@Public()
@ThrottledByAddress((throttle, address) => throttle.resetMissesOfAddress(address))
export class InviteSignInController {
  constructor(
    private readonly invites: InviteSignIn,
    private readonly timeZones: TimeZones,
    private readonly selves: SelfQueries,
    private readonly staff: StaffQueries,
    private readonly notices: SecurityNotices,
    private readonly security: SecurityLog,
  ) {}

  /** Signs in with the token of an e-mailed invite. */
  @Post(':token')
  @HttpCode(200)
  async start(
    @Req() request: GuardedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('token') token: string,
    @Body() { timeZone }: SessionBody,
  ): Promise<SessionAnswer> {
    const { uid, sessionId, isKnownBrowser } = await this.invites.signIn(token, request, reply);
    this.security.record('invite.used', { actor: uid, target: publicSessionId(sessionId) });
    await this.timeZones.store(uid, timeZone);
    // Also the first time: others may have read the e-mail with the link.
    if (!isKnownBrowser) await this.notices.newDevice(uid, { device: deviceNameOf(request.headers['user-agent']), by: 'invite' });
    return { user: await this.selves.view(uid), staffRole: await this.staff.roleOf(uid) };
  }
}
