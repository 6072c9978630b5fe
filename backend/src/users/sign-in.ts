import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { Passwords } from '../platform/auth/passwords.js';
import { type Attempt, type FailureCounter, Throttle } from '../platform/auth/throttle.js';
import { type Account, Accounts, normalEmail } from './accounts.js';

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** Checks email and password. Each attempt counts as a failure until it succeeds. */
@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly throttle: Throttle,
    private readonly devices: DeviceCookies,
  ) {}

  /** @throws Refused `auth.failed`, `store.busy`; Throttled */
  async check(signIn: SignInAttempt): Promise<Uid> {
    const account = await this.accounts.registered(normalEmail(signIn.email));
    const counters = this.countersFor(signIn, account);
    await this.throttle.check(counters);
    const attempts: Attempt[] = [];
    const fits = await this.passwords.matches(
      account?.passwordHash ?? null,
      signIn.password,
      async () => void attempts.push(await this.throttle.attempt(counters)),
    );
    // Verifying a password takes time: the account may have been locked in the meantime.
    if (account === null || !fits || (await this.accounts.isLocked(account.uid))) throw new Refused('auth.failed');
    for (const attempt of attempts) await attempt.refund();
    return account.uid;
  }

  /** Whether an account is locked. */
  isLocked(uid: Uid): Promise<boolean> {
    return this.accounts.isLocked(uid);
  }

  /** Stores the time zone that a browser reports; ignores one that does not exist. */
  async storeZone(uid: Uid, zone: string | undefined): Promise<void> {
    if (zone === undefined || !isZone(zone)) return;
    const account = await this.accounts.get(uid);
    // Lost to a concurrent change of the account: the next sign-in reports it again.
    if (account !== null && account.body.zone !== zone) await this.accounts.change(account, { zone });
  }

  /** A browser that signed in before is not locked out by guesses from elsewhere. */
  private countersFor({ email, address, headers }: SignInAttempt, account: Account | null): readonly FailureCounter[] {
    const ofAddress = this.throttle.passwordsOfAddress(address);
    const isKnown = account !== null && this.devices.knows(headers, account.uid);
    const ofAccount = this.throttle.passwordsOfAccount(normalEmail(email));
    return [ofAddress, isKnown ? { ...ofAccount, limit: Infinity } : ofAccount];
  }
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    // Intl has no other way to reject an unknown time zone.
    return false;
  }
}
