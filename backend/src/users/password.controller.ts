import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ChangePasswordBody } from '@roughmix/contracts/users/user.api.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { PasswordCheck } from '../platform/auth/password-check.js';
import { type Caller, CurrentCaller, GuestMay, type GuardedRequest } from '../platform/http/caller.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { noteConcerned } from '../platform/security/security-scope.js';
import { Accounts } from './accounts.js';
import { BrowserSessions } from './browser-sessions.js';
import { Credentials } from './credentials.js';
import { PasswordChangeGuard } from './password-change.guard.js';
import { PasswordThrottles } from './password-throttles.js';

@Controller('api/auth/password')
export class PasswordController {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: PasswordCheck,
    private readonly throttles: PasswordThrottles,
    private readonly credentials: Credentials,
    private readonly sessions: BrowserSessions,
    private readonly security: SecurityLog,
  ) {}

  /** Changes the caller's password. Their session continues under another id; every other one ends. */
  @Post()
  @HttpCode(204)
  // The guard refuses guests itself: throttles come first.
  @GuestMay()
  @UseGuards(PasswordChangeGuard)
  async change(
    @CurrentCaller() caller: Caller,
    @Req() request: GuardedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { currentPassword, newPassword }: ChangePasswordBody,
  ): Promise<void> {
    noteConcerned(caller.uid);
    const account = (await this.accounts.get(caller.uid))?.body;
    if (account === undefined) throw new Refused('auth.required');
    const counters = this.throttles.ofChange(account, { address: request.ip, headers: request.headers });
    const correct = await this.passwords.compare(account.passwordHash, currentPassword, counters);
    if (correct === null) throw new Refused('password.incorrect', { field: 'currentPassword' });
    await correct.accept();
    await this.credentials.changeFrom(account, newPassword, { keep: caller.sessionId });
    this.security.record('password.changed', { target: caller.uid });
    await this.sessions.rename(caller, reply);
  }
}
