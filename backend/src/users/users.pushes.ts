import { Injectable } from '@nestjs/common';
import { userTopic } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Emission, PushSource } from '../platform/live/live-message.js';
import type { UserStreams as StreamsOfUserRoom } from '../platform/live/user-topic.js';
import { SelfQueries } from './self.queries.js';

const EDITS: ReadonlySet<string> = new Set<UserStreamEvent['type']>([
  'UserRenamed',
  'UserInfoEdited',
  'UserSettingsEdited',
  'UserPhotoChanged',
  'UserCoverChanged',
  'UserProfileCompleted',
  'UserFollowed',
  'UserUnfollowed',
  'UserBlocked',
  'UserUnblocked',
]);

/** Pushes a user's profile to their own room. */
@Injectable()
export class UsersPushes implements PushSource, StreamsOfUserRoom {
  constructor(private readonly selves: SelfQueries) {}

  steps(event: StoredEvent): readonly Emission[] {
    if (!EDITS.has(event.type)) return [];
    const { uid } = event.data as UserStreamEvent['data'];
    return [{ kind: 'emit', topics: [userTopic(uid)], channel: 'users', build: () => this.selves.pushes(event, uid) }];
  }

  streamsOf(uid: Uid): Promise<readonly string[]> {
    return Promise.resolve([userStream(uid)]);
  }
}
