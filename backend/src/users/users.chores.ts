import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/chores.js';
import { ReactorRole } from '../platform/reactors/reactor-role.js';
import type { ChoreSource } from '../platform/slice.js';
import { Accounts } from './accounts.js';
import { Erasures } from './erasures.js';
import { Registrations } from './registrations.js';

/** Sweeps expired reservations. With several processes it also creates the guest and completes erasures; a single process does both before it accepts requests (users.module.ts). */
@Injectable()
export class UsersChores implements ChoreSource {
  constructor(
    private readonly reactors: ReactorRole,
    private readonly accounts: Accounts,
    private readonly registrations: Registrations,
    private readonly erasures: Erasures,
  ) {}

  chores(): readonly Chore[] {
    const sweep: Chore = { name: 'reservations', when: 'hourly', run: () => this.accounts.sweep() };
    if (this.reactors.isAlone) return [sweep];
    return [
      { name: 'the guest', when: 'start', run: () => this.registrations.ensureGuest() },
      { name: 'interrupted erasures', when: 'start', run: () => this.erasures.completeInterrupted() },
      sweep,
    ];
  }
}
