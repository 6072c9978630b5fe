import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import { Throttle } from '../platform/auth/throttle.js';
import { callerOf, type GuardedRequest } from '../platform/http/caller.js';
import { Accounts } from './accounts.js';
import { PasswordThrottles } from './password-throttles.js';

/** Refuses addresses and accounts with too many wrong passwords, then the guest, before the request's body is looked at. */
@Injectable()
export class PasswordChangeGuard implements CanActivate {
  constructor(
    private readonly accounts: Accounts,
    private readonly throttles: PasswordThrottles,
    private readonly throttle: Throttle,
  ) {}

  /** @throws Throttled; Refused `auth.required`, `guest.read-only` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const { uid, isGuest } = callerOf(request);
    const account = await this.accounts.get(uid);
    const source = { address: request.ip, headers: request.headers };
    await this.throttle.check(account === null ? this.throttle.passwordsOfAddress(request.ip) : this.throttles.ofChange(account.body, source));
    if (isGuest) throw new Refused('guest.read-only');
    return true;
  }
}
