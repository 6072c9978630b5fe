import { Injectable } from '@nestjs/common';
import type { RegionPush } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, type Emission, projectFactsOf, type ProjectPushFacts, type PushSource, toProject } from '../platform/live/live-message.js';
import { RegionsQueries } from './regions.queries.js';

/** Live pushes about regions, including those that a comment tagged or untagged. */
@Injectable()
export class RegionsPushes implements PushSource {
  constructor(private readonly regions: RegionsQueries) {}

  steps(stored: StoredEvent): readonly Emission[] {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    switch (event.type) {
      case 'RegionAdded':
      case 'RegionEdited':
        return this.shown(facts, event.type, [event.data.regionId]);
      case 'ChildRegionAdded':
        return [...this.shown(facts, 'RegionAdded', [event.data.regionId]), ...this.shown(facts, 'RegionEdited', [event.data.parentRegionId])];
      case 'RegionRemoved.v2': {
        const { regionId, parentRegionId, childIds } = event.data;
        const removed = toProject(facts.projectId, 'regions', built({ ...facts, type: 'RegionRemoved', ids: [regionId] }));
        return [removed, ...this.shown(facts, 'RegionEdited', parentRegionId === null ? childIds : [parentRegionId])];
      }
      case 'CommentAdded':
      case 'CommentReplyAdded':
        return this.shown(facts, 'RegionEdited', event.data.marks.taggedRegions);
      case 'CommentEdited':
        return this.shown(facts, 'RegionEdited', differences(event.data.from.taggedRegions, event.data.to.taggedRegions));
      case 'CommentRemoved':
        return this.shown(facts, 'RegionEdited', event.data.taggedRegions);
      default:
        return [];
    }
  }

  private shown(facts: ProjectPushFacts, type: 'RegionAdded' | 'RegionEdited', regionIds: readonly Id[]): readonly Emission[] {
    if (regionIds.length === 0) return [];
    const build = async (): Promise<readonly RegionPush[]> => {
      const views = await this.regions.views(regionIds);
      const missing = regionIds.filter((regionId) => !views.some((view) => view._id === regionId));
      // A parked read model may lack existing regions.
      const gone = missing.length > 0 && (await this.regions.isParked(facts.projectId)) ? [] : missing;
      return [...views.map((view) => ({ ...facts, type, view })), ...(gone.length === 0 ? [] : [{ ...facts, type: 'RegionRemoved' as const, ids: gone }])];
    };
    return [toProject(facts.projectId, 'regions', build)];
  }
}

const differences = (from: readonly Id[], to: readonly Id[]): readonly Id[] => [
  ...from.filter((id) => !to.includes(id)),
  ...to.filter((id) => !from.includes(id)),
];
