import { Injectable } from '@nestjs/common';
import { userTopic } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { userStream, type UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type Emission, factsOf, type PushSource } from '../platform/live/live-message.js';
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
]);

/** Pushes a user's profile to their own room. */
@Injectable()
export class UsersPushes implements PushSource, StreamsOfUserRoom {
  constructor(private readonly selves: SelfQueries) {}

  steps(event: StoredEvent): readonly Emission[] {
    return EDITS.has(event.type) ? [this.edited(event, (event.data as UserStreamEvent['data']).uid)] : [];
  }

  /** Pushes a user's profile because of an event that changed it. */
  edited(event: StoredEvent, uid: Uid): Emission {
    const build: Emission['build'] = async () => {
      const view = await this.selves.find(uid);
      return view === null ? [] : [{ ...factsOf(event), type: 'UserEdited', view }];
    };
    return { kind: 'emit', topics: [userTopic(uid)], channel: 'users', build };
  }

  streamsOf(uid: Uid): Promise<readonly string[]> {
    return Promise.resolve([userStream(uid)]);
  }
}
