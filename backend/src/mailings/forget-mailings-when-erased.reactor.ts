import { Injectable } from '@nestjs/common';
import type { UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import { MailingHours } from './mailing-hours.js';

/** Forgets what was e-mailed to users who are erased. */
@Injectable()
export class ForgetMailingsWhenErased implements Reactor {
  readonly name = 'forget-mailings-when-erased';
  readonly startsAt = 'end';
  readonly handles: ReadonlySet<string> = new Set<UserStreamEvent['type']>(['UserErased']);

  constructor(private readonly hours: MailingHours) {}

  async react(stored: StoredEvent): Promise<void> {
    const event = stored as Stored<UserStreamEvent>;
    if (event.type === 'UserErased') await this.hours.forget(event.data.uid);
  }
}
