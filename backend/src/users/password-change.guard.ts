import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Throttle } from '../platform/auth/throttle.js';
import { callerOf, type GuardedRequest } from '../platform/http/caller.js';
import { Accounts } from './accounts.js';
import { PasswordThrottles } from './password-throttles.js';

/** Refuses accounts with too many wrong current passwords, before the request's body is looked at. */
@Injectable()
export class PasswordChangeGuard implements CanActivate {
  constructor(
    private readonly accounts: Accounts,
    private readonly throttles: PasswordThrottles,
    private readonly throttle: Throttle,
  ) {}

  /** @throws Throttled; Refused `auth.required` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const account = await this.accounts.get(callerOf(request).uid);
    if (account !== null) await this.throttle.check(this.throttles.ofChange(account.body, { address: request.ip, headers: request.headers }));
    return true;
  }
}
