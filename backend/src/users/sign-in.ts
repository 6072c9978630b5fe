import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { Passwords } from '../platform/auth/passwords.js';
import { type Attempt, type Counted, Throttle } from '../platform/auth/throttle.js';
import { type Account, Accounts, normalEmail } from './accounts.js';

/** Who tries to sign in, from where. */
export interface SignInTry {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** Checks email and password. Each try counts as a failure until it succeeds. */
@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly throttle: Throttle,
    private readonly devices: DeviceCookies,
  ) {}

  /** @throws Refused `auth.failed`, `store.busy`; Throttled */
  async check(tried: SignInTry): Promise<Uid> {
    const account = await this.accounts.registered(normalEmail(tried.email));
    const counted = this.countedFor(tried, account);
    await this.throttle.check(counted);
    const attempts: Attempt[] = [];
    const fits = await this.passwords.matches(
      account?.passwordHash ?? null,
      tried.password,
      async () => void attempts.push(await this.throttle.attempt(counted)),
    );
    // Checking takes its time: an account may have been shut meanwhile.
    if (account === null || !fits || (await this.accounts.isShut(account.uid))) throw new Refused('auth.failed');
    for (const attempt of attempts) await attempt.giveBack();
    return account.uid;
  }

  /** Whether somebody may sign in no more. */
  isShut(uid: Uid): Promise<boolean> {
    return this.accounts.isShut(uid);
  }

  /** Keeps the zone that a browser says; one that does not exist is none. */
  async keepZone(uid: Uid, zone: string | undefined): Promise<void> {
    if (zone === undefined || !isZone(zone)) return;
    const account = await this.accounts.get(uid);
    // Lost to another change of the account: the next sign-in says it again.
    if (account !== null && account.body.zone !== zone) await this.accounts.change(account, { zone });
  }

  /** A browser where somebody signed in before is not shut out by those who guess elsewhere. */
  private countedFor({ email, address, headers }: SignInTry, account: Account | null): readonly Counted[] {
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
    // Intl knows no other way to say that there is no such zone.
    return false;
  }
}
