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

  /** Calls back whenever this process stores another time zone of a user. @returns ends that */
  onZoneChanged(listener: (uid: Uid) => Promise<void>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Tells the listeners that a user's time zone has changed. */
  async announceZone(uid: Uid): Promise<void> {
    for (const listener of this.listeners) await listener(uid);
  }
}
