import { Injectable } from '@nestjs/common';
import type { Chore } from '../platform/reactors/chores.js';
import { ReactorRole } from '../platform/reactors/reactor-role.js';
import type { ChoreSource } from '../platform/slice.js';
import { Accounts } from './accounts.js';
import { Erasures } from './erasures.js';
import { Registrations } from './registrations.js';

/** Sweeps expired reservations and completes unfinished erasures. With several processes it also creates the guest; a single process does that before it accepts requests (users.module.ts). */
@Injectable()
export class UsersChores implements ChoreSource {
  constructor(
    private readonly reactors: ReactorRole,
    private readonly accounts: Accounts,
    private readonly registrations: Registrations,
    private readonly erasures: Erasures,
  ) {}

  chores(): readonly Chore[] {
    const chores: readonly Chore[] = [
      { name: 'unfinished erasures', when: 'start and hourly', run: () => this.erasures.completeUnfinished() },
      { name: 'reservations', when: 'hourly', run: () => this.accounts.sweep() },
    ];
    return this.reactors.isAlone ? chores : [{ name: 'the guest', when: 'start', run: () => this.registrations.ensureGuest() }, ...chores];
  }
}
