import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Accounts } from './accounts.js';
import { EmailReceiversQueries } from './email-receivers.queries.js';

/** The time zones that browsers report when their users sign in. */
@Injectable()
export class TimeZones {
  constructor(
    private readonly accounts: Accounts,
    private readonly receivers: EmailReceiversQueries,
  ) {}

  /** Stores the time zone that a browser reports; ignores one that does not exist. */
  async store(uid: Uid, zone: string | undefined): Promise<void> {
    if (zone === undefined || !isZone(zone)) return;
    const account = await this.accounts.get(uid);
    if (account === null || account.body.zone === zone) return;
    // Lost to a concurrent change of the account: the next sign-in reports it again.
    if (await this.accounts.change(account, { zone })) await this.receivers.announceZone(uid);
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
