import { Inject, Injectable } from '@nestjs/common';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Clock } from '../platform/clock.js';
import type { Timer } from '../platform/timers/timer.js';
import { Timers } from '../platform/timers/timers.js';
import { CLOCK } from '../platform/tokens.js';
import { EmailReceiversQueries } from '../users/email-receivers.queries.js';
import { type Day, nextDigest } from './digest-times.js';

export const DIGEST_TIMERS = 'send-digest';

/** What a user's next digest covers. */
export interface DigestState {
  /** It begins after this position: where the last one ended, or where the setting was turned on. */
  readonly after: Position;
  /** Where the digest of `lastDay` ends while it is being sent; else null. */
  readonly until: Position | null;
  /** The day of the last one; null before the first. */
  readonly lastDay: Day | null;
}

/** The state in a timer, which stores `after` as the position that it follows from. */
export function stateIn({ position: after = 0, data = {} }: Timer): DigestState {
  const until = Number(data['until'] ?? -1);
  // A move to another log, which has other positions, translates only one of them.
  return { after, until: until < after ? null : until, lastDay: data['lastDay'] ?? null };
}

const dataOf = ({ until, lastDay }: DigestState): NonNullable<Timer['data']> => ({
  ...(until === null ? {} : { until: String(until) }),
  ...(lastDay === null ? {} : { lastDay }),
});

/** One timer for each user who gets digests, always set to their next one. Users without digests cost nothing. */
@Injectable()
export class DigestTimers {
  constructor(
    private readonly timers: Timers,
    private readonly receivers: EmailReceiversQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sets the timer of a user who has none. @param after the position after which their first digest begins */
  async begin(uid: Uid, after: Position): Promise<void> {
    if ((await this.timers.get(DIGEST_TIMERS, uid)) === null) await this.setNext(uid, { after, until: null, lastDay: null });
  }

  /** Sets a user's timer to their next digest. */
  async setNext(uid: Uid, state: DigestState): Promise<void> {
    const zone = await this.zoneOf(uid);
    await this.set(uid, nextDigest({ now: this.clock(), zone, lastDay: state.lastDay }), state);
  }

  /** Stores where the digest of a firing timer ends, so that a repeat covers the same. */
  async fix({ key, at }: Timer, state: DigestState): Promise<void> {
    await this.set(key, at, state);
  }

  /** To 08:00 in a user's new time zone. */
  async move(uid: Uid): Promise<void> {
    const zone = await this.zoneOf(uid);
    await this.timers.move(DIGEST_TIMERS, uid, (timer) => nextDigest({ now: this.clock(), zone, lastDay: stateIn(timer).lastDay }));
  }

  end(uid: Uid): Promise<void> {
    return this.timers.cancel(DIGEST_TIMERS, uid);
  }

  private set(uid: Uid, at: number, state: DigestState): Promise<void> {
    return this.timers.set({ kind: DIGEST_TIMERS, key: uid, at, data: dataOf(state), position: state.after });
  }

  private async zoneOf(uid: Uid): Promise<string | null> {
    return (await this.receivers.of(uid))?.zone ?? null;
  }
}
