import { Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { DEFAULT_SETTINGS, type SelfView } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { Accounts } from './accounts.js';
import { UserStreams } from './user.streams.js';
import { personView, UsersQueries } from './users.queries.js';

/** Users as they see themselves. */
@Injectable()
export class SelfQueries {
  constructor(
    private readonly users: UsersQueries,
    private readonly accounts: Accounts,
    private readonly streams: UserStreams,
  ) {}

  /** @throws Refused `auth.required` if the user no longer exists */
  async view(uid: Uid): Promise<SelfView> {
    // Right after the registration the read model may lack the user.
    const person = (await this.users.one(uid)) ?? (await this.streams.person(uid));
    const account = await this.accounts.get(uid);
    if (person === null || ('erased' in person && person.erased) || account === null) throw new Refused('auth.required');
    const isComplete = person.guest || (person.firstName !== '' && person.lastName !== '');
    return {
      ...personView(person),
      email: account.body.email,
      dateAdded: person.dateAdded,
      createdDate: person.dateAdded,
      profileCompletion: isComplete ? 1 : 0,
      isGuest: person.guest,
      info: { location: '', about: '', influences: '' },
      coverPhoto: null,
      connections: {},
      groups: [],
      settings: DEFAULT_SETTINGS,
      groupNotifications: {},
    };
  }
}
