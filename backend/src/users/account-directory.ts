import { Injectable } from '@nestjs/common';
import type { Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import { Sessions } from '../platform/auth/sessions.js';
import { normalEmail } from '../platform/email-address.js';
import { AccountRecords } from './account-records.js';
import { Accounts } from './accounts.js';
import { GUEST_UID } from './registrations.js';
import { searchForm } from './users.documents.js';
import { UsersQueries } from './users.queries.js';

/** Where the words of a name begin. */
const WORDS = /[ .'-]+/;

/** Finds accounts by what the operator knows about a person. */
@Injectable()
export class AccountDirectory {
  constructor(
    private readonly records: AccountRecords,
    private readonly accounts: Accounts,
    private readonly users: UsersQueries,
    private readonly sessions: Sessions,
  ) {}

  /** The registered user with this uid or email address; null for the guest, erased users and nobody. */
  async personOf(uidOrEmail: string): Promise<Uid | null> {
    const text = uidOrEmail.trim();
    const email = text.includes('@') ? normalEmail(text) : (await this.accounts.get(text))?.body.email;
    const account = email === undefined || email === '' ? null : await this.accounts.registered(email);
    return account?.uid ?? null;
  }

  /** Whether there is any account besides the guest's. */
  async hasAnyone(): Promise<boolean> {
    for await (const { id } of this.records.all('confirmed')) if (id !== GUEST_UID) return true;
    return false;
  }

  /** Those of the accounts whose email address, name, username, or a word of these starts with a text. */
  async matching(uids: readonly Uid[], text: string): Promise<ReadonlySet<Uid>> {
    const [byEmail, people] = await Promise.all([this.uidsByEmail(normalEmail(text)), this.users.people(uids)]);
    const start = searchForm(text);
    const hasName = (uid: Uid): boolean => {
      const { username, firstName, lastName } = people(uid);
      const names = [username, `${firstName} ${lastName}`].map(searchForm);
      return [...names, ...names.flatMap((name) => name.split(WORDS))].some((name) => name.startsWith(start));
    };
    return new Set(uids.filter((uid) => byEmail.has(uid) || hasName(uid)));
  }

  /** When a session of the user was last used, as far as sessions and the last sign-in tell; null if never. */
  async lastSeen(uid: Uid): Promise<Instant | null> {
    const [sessions, account] = await Promise.all([this.sessions.listOf(uid), this.accounts.get(uid)]);
    const times = [...sessions.map(({ usedAt }) => usedAt), account?.body.seenAt ?? 0];
    return Math.max(...times) || null;
  }

  /** Opens every account: sealed addresses have no order to search in. */
  private async uidsByEmail(start: string): Promise<ReadonlySet<Uid>> {
    const found = new Set<Uid>();
    for await (const { id, body } of this.records.all()) if (body.email.startsWith(start)) found.add(id);
    return found;
  }
}
