import { Injectable } from '@nestjs/common';
import type { UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { DigestTimers } from './digest-timers.js';

/** Begins the digests of users who turn them on, and ends those of users who turn them off or are erased. */
@Injectable()
export class ScheduleDigestWhenSet implements Reactor {
  readonly name = 'schedule-digest-when-set';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set<UserStreamEvent['type']>(['UserSettingsEdited', 'UserErased']);

  constructor(private readonly timers: DigestTimers) {}

  async react(stored: StoredEvent): Promise<void> {
    const event = stored as Stored<UserStreamEvent>;
    const { uid } = event.data;
    if (event.type === 'UserSettingsEdited' && event.data.settings.mailNotifs.digest) await this.timers.begin(uid, event.position);
    else await this.timers.end(uid);
  }
}
