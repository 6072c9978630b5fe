import { Injectable } from '@nestjs/common';
import { Sweeper } from './media/sweeper.js';
import { Trash } from './media/trash.js';
import { Sessions } from './platform/auth/sessions.js';
import { Throttle } from './platform/auth/throttle.js';
import type { Chore } from './platform/reactors/reactor-role.js';
import { Accounts } from './users/accounts.js';
import { Erasures } from './users/erasures.js';
import { Registrations } from './users/registrations.js';

/** The scheduled jobs of the one process that reacts. */
@Injectable()
export class Chores {
  constructor(
    private readonly sweeper: Sweeper,
    private readonly trash: Trash,
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    private readonly accounts: Accounts,
    private readonly registrations: Registrations,
    private readonly erasures: Erasures,
  ) {}

  /** Removes what has expired and has no timer, and sets the trash's timers that are missing. */
  sweeps(): readonly Chore[] {
    return [
      { name: 'expired uploads', when: 'start and hourly', run: () => this.sweeper.sweepUploads() },
      { name: 'timers of the trash', when: 'start', run: () => this.trash.setMissing() },
      { name: 'sessions', when: 'hourly', run: () => this.sessions.sweep() },
      { name: 'throttles', when: 'hourly', run: () => this.throttle.sweep() },
      { name: 'reservations', when: 'hourly', run: () => this.accounts.sweep() },
    ];
  }

  /** What a program that runs alone does before it opens. */
  beginnings(): readonly Chore[] {
    return [
      { name: 'the guest', when: 'start', run: () => this.registrations.ensureGuest() },
      { name: 'erasures that were broken off', when: 'start', run: () => this.erasures.completeBegun() },
    ];
  }
}
