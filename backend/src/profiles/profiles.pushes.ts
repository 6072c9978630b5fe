import { Injectable } from '@nestjs/common';
import { userTopic } from '@roughmix/contracts/live.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { EventOf } from '@roughmix/contracts/shared/field-classes.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, type Emission, factsOf, type PushSource } from '../platform/live/live-message.js';
import type { UserStreams } from '../platform/live/user-topic.js';
import { SelfQueries } from '../users/self.queries.js';
import { ConnectionsQueries } from './connections.queries.js';

type PushedEvent = EventOf<Pick<UserEvents, 'UserUnfollowed' | 'UserErased'> & Pick<ProjectEvents, 'ProjectUsersInvited'>>;

/** Pushes an invitation's new connections to both sides, the end of one to the other side, and erasures to everyone who may have seen the name. */
@Injectable()
export class ProfilesPushes implements PushSource, UserStreams {
  constructor(
    private readonly connections: ConnectionsQueries,
    private readonly selves: SelfQueries,
  ) {}

  async steps(stored: StoredEvent): Promise<readonly Emission[]> {
    const event = stored as Stored<PushedEvent>;
    switch (event.type) {
      case 'ProjectUsersInvited': {
        const { actorUid } = event.meta;
        const sides = [...(actorUid === null ? [] : [actorUid]), ...event.data.invited.map(({ uid }) => uid)];
        return sides.map((uid) => ({ kind: 'emit', topics: [userTopic(uid)], channel: 'users', build: () => this.selves.pushes(event, uid) }));
      }
      case 'UserUnfollowed': {
        const { otherUid } = event.data;
        // A one-sided unfollow concerns nobody else.
        const build = async () => ((await this.connections.isChangedBy(event, otherUid)) ? this.selves.pushes(event, otherUid) : []);
        return [{ kind: 'emit', topics: [userTopic(otherUid)], channel: 'users', build }];
      }
      case 'UserErased': {
        const { uid } = event.data;
        const topics = (await this.connections.audienceOf(uid)).map(userTopic);
        return [{ kind: 'emit', topics, channel: 'users', build: built({ ...factsOf(event), type: event.type, ids: [uid] }) }];
      }
      default:
        return [];
    }
  }

  streamsOf(uid: Uid, after: Position): Promise<readonly string[] | null> {
    return this.connections.streamsOf(uid, after);
  }
}
