import { Injectable } from '@nestjs/common';
import type { MediaPush } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, type Emission, projectFactsOf, type PushSource, toProject } from '../platform/live/live-message.js';
import { VersionsQueries } from './versions.queries.js';

/** Live pushes about versions. */
@Injectable()
export class VersionsPushes implements PushSource {
  constructor(private readonly versions: VersionsQueries) {}

  steps(stored: StoredEvent): readonly Emission[] {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    switch (event.type) {
      case 'VersionAdded':
      case 'VersionAnalyzed':
      case 'PlaybackCopied':
      case 'VersionRejected':
      case 'VersionReplaced': {
        const { type } = event;
        const ids = [event.data.versionId];
        const build = async (): Promise<readonly MediaPush[]> => {
          const [view] = await this.versions.views(ids);
          if (view !== undefined) return [{ ...facts, type, view }];
          // A parked read model may lack existing versions.
          return (await this.versions.isParked(facts.projectId)) ? [] : [{ ...facts, type: 'VersionRemoved', ids }];
        };
        return [toProject(facts.projectId, 'media', build)];
      }
      case 'VersionRemoved':
        return [toProject(facts.projectId, 'media', built({ ...facts, type: 'VersionRemoved', ids: [event.data.versionId] }))];
      default:
        return [];
    }
  }
}
