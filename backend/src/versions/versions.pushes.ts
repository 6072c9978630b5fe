import { Injectable } from '@nestjs/common';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { idInStream } from '../kernel/stream-name.js';
import { factsOf, type LiveStep, type PushSource, toEverybody } from '../platform/live/live-message.js';
import { VersionsQueries } from './versions.queries.js';

/** What browsers hear of versions. */
@Injectable()
export class VersionsPushes implements PushSource {
  constructor(private readonly versions: VersionsQueries) {}

  async steps(stored: StoredEvent): Promise<readonly LiveStep[]> {
    const event = stored as Stored<ProjectStreamEvent>;
    switch (event.type) {
      case 'VersionAdded':
      case 'VersionAnalyzed':
      case 'VersionRejected':
      case 'VersionReplaced': {
        const [view] = await this.versions.views([event.data.versionId]);
        if (view === undefined && (await this.versions.isParked(idInStream(event)))) return [];
        const removed = { ...factsOf(event), type: 'VersionRemoved', ids: [event.data.versionId] } as const;
        return toEverybody('media', view === undefined ? removed : { ...factsOf(event), type: event.type, view });
      }
      case 'VersionRemoved':
        return toEverybody('media', { ...factsOf(event), type: 'VersionRemoved', ids: [event.data.versionId] });
      default:
        return [];
    }
  }
}
