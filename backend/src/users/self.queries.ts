import { Injectable } from '@nestjs/common';
import type { UserPush } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import type { StoredEvent } from '../kernel/event.js';
import { Refused } from '../kernel/refusal.js';
import { factsOf } from '../platform/live/live-message.js';
import { ConnectionsQueries } from '../profiles/connections.queries.js';
import { Accounts } from './accounts.js';
import { UserStreams } from './user.streams.js';
import { type ProfileDocument, registeredProfile, registeredUser, type UserDocument } from './users.documents.js';
import { personView, UsersQueries } from './users.queries.js';

/** Users as they see themselves. */
@Injectable()
export class SelfQueries {
  constructor(
    private readonly users: UsersQueries,
    private readonly accounts: Accounts,
    private readonly streams: UserStreams,
    private readonly connections: ConnectionsQueries,
  ) {}

  /** @throws Refused `auth.required` if the user no longer exists */
  async view(uid: Uid): Promise<SelfView> {
    const view = await this.find(uid);
    if (view === null) throw new Refused('auth.required');
    return view;
  }

  /** What is pushed to a user's own room after an event that changed how they see themselves. */
  async pushes(event: StoredEvent, uid: Uid): Promise<readonly UserPush[]> {
    const view = await this.find(uid);
    return view === null ? [] : [{ ...factsOf(event), type: 'UserEdited', view }];
  }

  /** Null if the user no longer exists. */
  async find(uid: Uid): Promise<SelfView | null> {
    const [found, account, connections, blocks] = await Promise.all([
      this.documentsOf(uid),
      this.accounts.get(uid),
      this.connections.of(uid),
      this.users.blockedBy(uid),
    ]);
    if (found === null || account === null) return null;
    const [user, { info, settings, cover, profileCompletion, position }] = found;
    return {
      ...personView(user),
      email: account.body.email,
      dateAdded: user.dateAdded,
      createdDate: user.dateAdded,
      profileCompletion,
      isGuest: user.guest,
      info,
      coverPhoto: cover === null ? null : USER_PATHS.image(uid, cover.file),
      connections: connections.since,
      blocked: blocks.uids,
      groups: [],
      settings,
      groupNotifications: {},
      position: Math.max(user.position, position, connections.position, blocks.position),
    };
  }

  private async documentsOf(uid: Uid): Promise<readonly [UserDocument, ProfileDocument] | null> {
    const [user, profile] = await Promise.all([this.users.one(uid), this.users.profile(uid)]);
    if (user !== null) return profile === null ? null : [user, profile];
    // Right after the registration the read model may lack the user.
    const person = await this.streams.person(uid);
    return person === null ? null : [registeredUser(person, person.dateAdded, 0), registeredProfile(person, 0)];
  }
}
