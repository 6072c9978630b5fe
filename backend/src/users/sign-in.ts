import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Refused } from '../kernel/refusal.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { PasswordCheck } from '../platform/auth/password-check.js';
import { normalEmail } from '../platform/email-address.js';
import { noteConcerned } from '../platform/security/security-scope.js';
import type { Account } from './account-records.js';
import { Accounts } from './accounts.js';
import { PasswordThrottles } from './password-throttles.js';

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** Checks email and password. */
@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: PasswordCheck,
    private readonly throttles: PasswordThrottles,
    private readonly devices: DeviceCookies,
  ) {}

  /** @throws Refused `auth.failed`, `store.busy`; Throttled */
  async check(signIn: SignInAttempt): Promise<Account> {
    const email = normalEmail(signIn.email);
    const account = await this.accounts.registered(email);
    if (account !== null) noteConcerned(account.uid);
    const counters = this.throttles.ofSignIn(account ?? { uid: null, email }, signIn);
    const correct = await this.passwords.compare(account?.passwordHash ?? null, signIn.password, counters);
    // Verifying a password takes time: the account may have changed in the meantime.
    if (account === null || correct === null || !(await this.isCurrent(account))) throw new Refused('auth.failed');
    await correct.accept();
    return account;
  }

  /** Whether an account that was read before still has this password and may sign in. */
  async isCurrent({ uid, passwordHash }: Account): Promise<boolean> {
    const found = await this.accounts.get(uid);
    return found !== null && found.body.state !== 'erasing' && found.body.passwordHash === passwordHash;
  }

  /** Whether an account has signed in before, but not in this browser, as far as its device cookie says. */
  isNewDevice(account: Account, headers: IncomingHttpHeaders): boolean {
    return account.seenAt !== undefined && this.devices.entryOf(headers, account) === null;
  }
}
