import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RequestResetBody, ResetPasswordBody } from '@roughmix/contracts/users/user.api.js';
import type { ResetRequestedAnswer } from '@roughmix/contracts/users/user.view.js';
import { ThrottledByAddress } from '../platform/auth/throttle.guard.js';
import { GuestMay, type GuardedRequest, Public } from '../platform/http/caller.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { PasswordResets } from './password-resets.js';

@Controller('api/auth/passwordReset')
@GuestMay()
@Public()
@ThrottledByAddress((throttle, address) => throttle.resetMissesOfAddress(address))
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly security: SecurityLog,
  ) {}

  /** E-mails a link that resets the password of an account. */
  @Post()
  @HttpCode(200)
  async request(@Req() request: GuardedRequest, @Body() { email }: RequestResetBody): Promise<ResetRequestedAnswer> {
    const uid = await this.resets.request(email, request.ip);
    this.security.record('password.reset-requested', { target: uid, outcome: uid === null ? 'refused' : 'ok' });
    return { message: 'A link has been sent to the email provided' };
  }

  /** Chooses a new password with the token of an e-mailed link. */
  @Post(':token')
  @HttpCode(204)
  async reset(@Req() request: GuardedRequest, @Param('token') token: string, @Body() { newPassword }: ResetPasswordBody): Promise<void> {
    const uid = await this.resets.reset(token, newPassword, request.ip);
    this.security.record('password.reset', { target: uid });
  }
}
