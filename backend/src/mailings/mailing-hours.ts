import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Mailing } from '@roughmix/contracts/mailings/mailing.js';
import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../platform/clock.js';
import { ServiceUnavailable } from '../platform/store-errors.js';
import { CLOCK, VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';

/** The vault's collection of what was e-mailed to whom within an hour. */
const MAILING_HOURS = 'mailing-hours';
const HOUR_MS = 60 * 60_000;
/** How many e-mails of a kind a person gets within an hour. */
const MOST_IN_AN_HOUR = 5;
/** How many of those held back are counted. */
export const MOST_HELD = 500;
/** How often a change is tried while another one interferes. */
const TRIES = 10;

/** Whose e-mails, and of which kind. */
export interface MailingOf {
  readonly uid: Uid;
  readonly mailing: Mailing;
}

type MailingHour = {
  readonly uid: Uid;
  /** What was e-mailed within the last hour, oldest first. */
  readonly sent: readonly { readonly id: Id; readonly at: Instant }[];
  /** What was held back since. */
  readonly held: readonly Id[];
  /** When one e-mail counts what is held back; null while nothing is. */
  readonly until: Instant | null;
};

const idOf = ({ uid, mailing }: MailingOf): string => `${uid}/${mailing}`;

/** Limits each kind of e-mail to five an hour and person; what exceeds that is held back, to be counted in one e-mail (ADR 58). */
@Injectable()
export class MailingHours implements OnModuleInit {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.vault.declare({ name: MAILING_HOURS, indexes: ['uid'] });
  }

  /** Counts an e-mail about something, once for each id. @returns null if it may be sent, else when to count what is held back */
  async take(mailing: MailingOf, id: Id): Promise<Instant | null> {
    const isSent = ({ sent }: MailingHour): boolean => sent.some((each) => each.id === id);
    const hour = await this.change(mailing, (before) => {
      const { sent, held, until } = before;
      if (isSent(before) || held.includes(id)) return before;
      if (until === null && sent.length < MOST_IN_AN_HOUR) return { ...before, sent: [...sent, { id, at: this.clock() }] };
      const now = this.clock();
      return { ...before, held: [...held, id].slice(0, MOST_HELD), until: until ?? (sent[0]?.at ?? now) + HOUR_MS };
    });
    return isSent(hour) ? null : hour.until;
  }

  /** What is held back, at most {@link MOST_HELD}. */
  async heldOf(mailing: MailingOf): Promise<readonly Id[]> {
    return (await this.vault.get<MailingHour>(MAILING_HOURS, idOf(mailing)))?.body.held ?? [];
  }

  /**
   * Forgets what was held back and has been counted now. @param email the id of the e-mail that counts it, null if there was nothing to tell
   * @returns when to count what was held back meanwhile; null if nothing was
   */
  async release(mailing: MailingOf, ids: readonly Id[], email: Id | null): Promise<Instant | null> {
    const released = new Set(ids);
    const { until } = await this.change(mailing, ({ uid, sent: before, held: all }) => {
      const now = this.clock();
      const sent = email === null ? before : [...before.filter(({ id }) => id !== email), { id: email, at: now }];
      const held = all.filter((id) => !released.has(id));
      return { uid, sent, held, until: held.length === 0 ? null : now + HOUR_MS };
    });
    return until;
  }

  /** For an erasure. */
  async forget(uid: Uid): Promise<void> {
    await this.vault.removeWhere(MAILING_HOURS, 'uid', uid);
  }

  private async change(mailing: MailingOf, to: (hour: MailingHour) => MailingHour): Promise<MailingHour> {
    const id = idOf(mailing);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await this.vault.get<MailingHour>(MAILING_HOURS, id);
      const { sent, ...rest } = stored?.body ?? { uid: mailing.uid, sent: [], held: [], until: null };
      const changed = to({ ...rest, sent: sent.filter(({ at }) => at > this.clock() - HOUR_MS) });
      const isDone = stored === null ? this.vault.insert(MAILING_HOURS, id, changed) : this.vault.replace(MAILING_HOURS, id, stored.version, changed);
      if (await isDone) return changed;
    }
    throw new ServiceUnavailable('the e-mails of an hour change too often');
  }
}
