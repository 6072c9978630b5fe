import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { Accounts } from './accounts.js';

export interface EmailReceiver {
  readonly email: string;
  /** The IANA time zone that their browser reported last; null before that. */
  readonly zone: string | null;
}

/** Where e-mails to users go, and in which time zone they are read. */
@Injectable()
export class EmailReceiversQueries {
  private readonly listeners = new Set<(uid: Uid) => Promise<void>>();

  constructor(private readonly accounts: Accounts) {}

  /** Null for the guest, and for an account that does not exist or is being erased. */
  async of(uid: Uid): Promise<EmailReceiver | null> {
    const account = await this.accounts.get(uid);
    if (account === null || account.body.state === 'erasing' || account.body.email === '') return null;
    const { email, zone } = account.body;
    return { email, zone };
  }

  /** Stores the time zone that a browser reports; ignores one that does not exist. */
  async storeZone(uid: Uid, zone: string | undefined): Promise<void> {
    if (zone === undefined || !isZone(zone)) return;
    const account = await this.accounts.get(uid);
    if (account === null || account.body.zone === zone) return;
    // Lost to a concurrent change of the account: the next sign-in reports it again.
    if (!(await this.accounts.change(account, { zone }))) return;
    for (const listener of this.listeners) await listener(uid);
  }

  /** Calls back whenever this process stores another time zone of a user. @returns ends that */
  onZoneChanged(listener: (uid: Uid) => Promise<void>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
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
