import { Injectable } from '@nestjs/common';
import { Sweeper } from './media/sweeper.js';
import { Sessions } from './platform/auth/sessions.js';
import { Throttle } from './platform/auth/throttle.js';
import type { Chore } from './platform/reactors/reactor-role.js';
import { Accounts } from './users/accounts.js';
import { Erasures } from './users/erasures.js';
import { Registrations } from './users/registrations.js';

/** What is done now and then, without being asked for, in the one process that reacts. */
@Injectable()
export class Chores {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly registrations: Registrations,
    private readonly erasures: Erasures,
  ) {}

  /** What is over goes. */
  sweeps(): readonly Chore[] {
    return [
      { name: 'files that nobody named, trash', when: 'start and hourly', run: () => this.sweeper.sweep() },
      { name: 'sessions', when: 'hourly', run: () => this.sessions.sweep() },
      { name: 'throttles', when: 'hourly', run: () => this.throttle.sweep() },
      { name: 'reservations', when: 'hourly', run: () => this.accounts.sweep() },
    ];
  }

  /** What a program that works alone does before it opens. */
  beginnings(): readonly Chore[] {
    return [
      { name: 'the guest', when: 'start', run: () => this.registrations.ensureGuest() },
      { name: 'erasures that were broken off', when: 'start', run: () => this.erasures.completeBegun() },
    ];
  }
}
