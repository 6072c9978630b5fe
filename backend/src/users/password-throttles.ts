import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { DeviceCookies } from '../platform/auth/device-cookie.js';
import { type FailureCounter, Throttle } from '../platform/auth/throttle.js';
import type { Account } from './account-records.js';

/** Where a password came from. */
export interface PasswordSource {
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** Who a password is tried for; without a uid nobody has the email address. */
export type Claimed = { readonly uid: Uid | null } & Pick<Account, 'email' | 'resets'>;

/** Which throttles a password counts for. */
@Injectable()
export class PasswordThrottles {
  constructor(
    private readonly throttle: Throttle,
    private readonly devices: DeviceCookies,
  ) {}

  /** A browser that signed in before is not locked out by guesses from elsewhere; it has a limit of its own. */
  ofSignIn(account: Claimed, source: PasswordSource): readonly FailureCounter[] {
    const entry = this.entryOf(account, source);
    return [...this.ofAccount(account, source, entry !== null), ...(entry === null ? [] : [this.throttle.passwordsOfDevice(entry)])];
  }

  /** Like a sign-in, but the account's limit holds in every browser, and reaching it does not keep known browsers from signing in. */
  ofChange(account: Account, source: PasswordSource): readonly FailureCounter[] {
    return [...this.ofAccount(account, source, this.entryOf(account, source) !== null), this.throttle.passwordChangesOf(account)];
  }

  private ofAccount(account: Claimed, { address }: PasswordSource, isKnown: boolean): readonly FailureCounter[] {
    const counters = this.throttle.passwordsOfAccount(account, address);
    return [...this.throttle.passwordsOfAddress(address), ...(isKnown ? counters.map((counter) => ({ ...counter, limit: Infinity })) : counters)];
  }

  private entryOf({ uid, resets = 0 }: Claimed, { headers }: PasswordSource): string | null {
    return uid === null ? null : this.devices.entryOf(headers, { uid, resets });
  }
}
