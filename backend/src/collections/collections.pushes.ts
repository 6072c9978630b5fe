import { Injectable } from '@nestjs/common';
import { type CollectionPush, userTopic } from '@roughmix/contracts/live.js';
import { type CollectionEvent, collectionsStream } from '@roughmix/contracts/collections/collection.events.js';
import { projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, type Emission, factsOf, type PushSource } from '../platform/live/live-message.js';
import type { UserStreams } from '../platform/live/user-topic.js';
import { CollectionsQueries } from './collections.queries.js';

const toOwner = (uid: Uid, build: () => Promise<readonly CollectionPush[]>): Emission => ({
  kind: 'emit',
  topics: [userTopic(uid)],
  channel: 'collections',
  build,
});

/** Pushes of collections to their owner's own room, and the streams that its catch-up reads for them. */
@Injectable()
export class CollectionsPushes implements PushSource, UserStreams {
  constructor(private readonly collections: CollectionsQueries) {}

  async steps(stored: StoredEvent): Promise<readonly Emission[]> {
    const event = stored as Stored<CollectionEvent | Extract<ProjectStreamEvent, { type: 'ProjectRemoved' }>>;
    switch (event.type) {
      case 'CollectionAdded':
      case 'CollectionEdited': {
        const { type, data } = event;
        return [
          toOwner(data.ownerUid, async () => {
            const view = await this.collections.one(data.collectionId);
            return view === null ? [] : [{ ...factsOf(event), type, view }];
          }),
        ];
      }
      case 'CollectionRemoved':
        return [toOwner(event.data.ownerUid, built({ ...factsOf(event), type: event.type, ids: [event.data.collectionId] }))];
      case 'ProjectRemoved': {
        const changed = await this.collections.changedByRemoval(event.position);
        return changed.map((view) => toOwner(view.owner.uid, built({ ...factsOf(event), type: 'CollectionEdited', view })));
      }
      default:
        return [];
    }
  }

  async streamsOf(uid: Uid, after: Position): Promise<readonly string[]> {
    return [collectionsStream(uid), ...(await this.collections.projectsRemovedSince(uid, after)).map(projectStream)];
  }
}
