import { Inject, Injectable } from '@nestjs/common';
import type { Mailing } from '@roughmix/contracts/mailings/mailing.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { NotificationsQueries } from '../notifications/notifications.queries.js';
import { moreRemindersEmail } from '../platform/mail/templates/mailing-emails.js';
import type { Timer, TimerHandler } from '../platform/timers/timer.js';
import { Timers } from '../platform/timers/timers.js';
import { VAULT } from '../platform/tokens.js';
import { lastRestore } from '../platform/vault/last-restore.js';
import type { Vault } from '../platform/vault/vault.js';
import { MailingHours, type MailingOf, MOST_HELD } from './mailing-hours.js';
import { MailingReceivers } from './mailing-receivers.js';
import { Mailings } from './mailings.js';

export const HELD_MAILINGS = 'count-held-mailings';

/** The timer that counts what is held back of a kind of e-mail. */
export const heldMailingsTimer = ({ uid, mailing }: MailingOf, at: Instant): Timer => ({
  kind: HELD_MAILINGS,
  key: `${uid}-${mailing}`,
  at,
  data: { uid, mailing },
});

/** Sends one e-mail that counts what was held back of a kind that is limited to five an hour. */
@Injectable()
export class CountHeldMailings implements TimerHandler {
  readonly kind = HELD_MAILINGS;
  /** It fires, to forget what was held back, but sends nothing. */
  readonly afterRestore = 'fire';
  @Inject(VAULT) private readonly vault: Vault;
  @Inject() private readonly timers: Timers;

  constructor(
    private readonly hours: MailingHours,
    private readonly notifications: NotificationsQueries,
    private readonly receivers: MailingReceivers,
    private readonly mailings: Mailings,
  ) {}

  async fire({ key, at, data = {} }: Timer): Promise<void> {
    const mailing = { uid: data['uid'] ?? '', mailing: data['mailing'] as Mailing };
    const held = await this.hours.heldOf(mailing);
    if (held.length === 0) return;
    const email = `held-${key}-${at}`;
    // People had theirs before a restore.
    const isSent = at > (await lastRestore(this.vault)) && (await this.send(mailing, held, email));
    const next = await this.hours.release(mailing, held, isSent ? email : null);
    if (next !== null) await this.timers.set(heldMailingsTimer(mailing, next));
  }

  /** @returns false if there is nothing to tell: they are read or gone, or the user turned these e-mails off */
  private async send({ uid, mailing }: MailingOf, held: readonly Id[], key: string): Promise<boolean> {
    if ((await this.receivers.of(uid, mailing)) === null) return false;
    const count = await this.notifications.unreadAmong(uid, held);
    if (count === 0) return false;
    const compose = (urlOf: (path: string) => string, unsubscribe: string) =>
      moreRemindersEmail({ count, isMore: held.length === MOST_HELD }, { home: urlOf('/projects'), unsubscribe });
    await this.mailings.send({ uid, mailing, causedBy: uid, names: [], key, compose });
    return true;
  }
}
