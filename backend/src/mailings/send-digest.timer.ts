import { Inject, Injectable } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { NotificationsQueries } from '../notifications/notifications.queries.js';
import type { Clock } from '../platform/clock.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { idFrom } from '../platform/ids.js';
import { digestEmail } from '../platform/mail/templates/mailing-emails.js';
import type { Timer, TimerHandler } from '../platform/timers/timer.js';
import { CLOCK, EVENT_STORE, VAULT } from '../platform/tokens.js';
import { lastRestore } from '../platform/vault/last-restore.js';
import type { Vault } from '../platform/vault/vault.js';
import { dayOf, isDigestDue } from './digest-times.js';
import { DigestNews } from './digest-news.js';
import { DIGEST_TIMERS, type DigestState, DigestTimers, stateIn } from './digest-timers.js';
import { MailingReceivers } from './mailing-receivers.js';
import { Mailings } from './mailings.js';

/** How many notifications a digest shows. */
const MOST_ENTRIES = 20;

/** Sends a user's digest at 08:00 in their time zone, or later that day if nothing was running then (ADR 58). */
@Injectable()
export class SendDigest implements TimerHandler {
  readonly kind = DIGEST_TIMERS;
  /** It fires, to set the next one, but sends nothing. */
  readonly afterRestore = 'fire';
  @Inject(VAULT) private readonly vault: Vault;
  @Inject(EVENT_STORE) private readonly store: EventStore;
  @Inject(CLOCK) private readonly clock: Clock;
  @Inject() private readonly told: DigestNews;

  constructor(
    private readonly timers: DigestTimers,
    private readonly mailings: Mailings,
    private readonly notifications: NotificationsQueries,
    private readonly receivers: MailingReceivers,
  ) {}

  async fire(timer: Timer): Promise<void> {
    const uid = timer.key;
    const receiver = await this.receivers.of(uid, 'digest');
    // Without a new timer the digests end.
    if (receiver === null) return;
    let state = stateIn(timer);
    // A crash interrupted it.
    if (state.until !== null) state = await this.finish(timer, { ...state, until: state.until });
    const [now, { zone }] = [this.clock(), receiver];
    if (isDigestDue({ now, zone, lastDay: state.lastDay })) {
      state = await this.finish(timer, { after: state.after, until: await this.store.head(), lastDay: dayOf(now, zone) });
    }
    await this.timers.setNext(uid, state);
  }

  /** Sends the digest of the last day up to a position, if there is anything in it. @returns the state for the next one */
  private async finish(timer: Timer, state: UnfinishedDigest): Promise<DigestState> {
    // People had theirs before a restore.
    if (timer.at > (await lastRestore(this.vault))) await this.send(timer, state);
    return { ...state, after: state.until, until: null };
  }

  private async send(timer: Timer, state: UnfinishedDigest): Promise<void> {
    const uid: Uid = timer.key;
    const isWanted = this.told.filterFor(uid);
    const { newest, count } = await this.notifications.unreadBetween(uid, state, { limit: MOST_ENTRIES, isWanted });
    if (count === 0) return;
    // Before the e-mail is queued: after a crash the next digest begins where this one ends.
    await this.timers.fix(timer, state);
    await this.mailings.send({
      uid,
      mailing: 'digest',
      causedBy: uid,
      names: [...new Set(newest.flatMap(({ names }) => names))],
      key: `digest-${idFrom('digest', uid, state.lastDay ?? '')}`,
      compose(urlOf, unsubscribe) {
        const entries = newest.map(({ view: { message, href } }) => ({ text: message, link: href === null ? null : urlOf(href) }));
        return digestEmail({ entries, count }, { home: urlOf('/projects'), unsubscribe });
      },
    });
  }
}

/** The digest of `lastDay`, whose end is decided. */
type UnfinishedDigest = DigestState & { readonly until: Position };
