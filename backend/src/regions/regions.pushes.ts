import { Injectable } from '@nestjs/common';
import type { RegionPush } from '@roughmix/contracts/live.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { type Id, withoutIds } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { built, type Emission, projectFactsOf, type ProjectPushFacts, type PushSource, toProject } from '../platform/live/live-message.js';
import { RegionsQueries } from './regions.queries.js';

/** Live pushes about regions, including those that a post tagged or untagged. */
@Injectable()
export class RegionsPushes implements PushSource {
  constructor(private readonly regions: RegionsQueries) {}

  steps(stored: StoredEvent): readonly Emission[] {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = projectFactsOf(event);
    switch (event.type) {
      case 'RegionAdded':
      case 'RegionEdited':
        return this.shown(facts, event.type, event.data.regionId);
      case 'ChildRegionAdded':
        return [...this.shown(facts, 'RegionAdded', event.data.regionId), ...this.changed(facts, [event.data.parentRegionId])];
      case 'RegionRemoved.v2': {
        const { regionId, parentRegionId, childIds } = event.data;
        const removed = toProject(facts.projectId, 'regions', built({ ...facts, type: 'RegionRemoved', ids: [regionId] }));
        return [removed, ...this.changed(facts, parentRegionId === null ? childIds : [parentRegionId])];
      }
      case 'CommentAdded':
      case 'CommentReplyAdded':
      case 'TodoAdded':
      case 'TodoReplyAdded':
        return this.changed(facts, event.data.marks.taggedRegions);
      case 'CommentEdited':
        return this.changed(facts, differences(event.data.from.taggedRegions, event.data.to.taggedRegions));
      case 'TodoEdited':
        return event.data.text === null ? [] : this.changed(facts, differences(event.data.text.from.taggedRegions, event.data.text.to.taggedRegions));
      case 'CommentRemoved':
      case 'TodoRemoved':
      case 'TodoReplyRemoved':
        return this.changed(facts, event.data.taggedRegions);
      default:
        return [];
    }
  }

  private shown(facts: ProjectPushFacts, type: 'RegionAdded' | 'RegionEdited', regionId: Id): readonly Emission[] {
    const build = async (): Promise<readonly RegionPush[]> => {
      const [view] = await this.regions.views([regionId]);
      if (view !== undefined) return [{ ...facts, type, view }];
      // A parked read model may lack existing regions.
      return (await this.regions.isParked(facts.projectId)) ? [] : [{ ...facts, type: 'RegionRemoved', ids: [regionId] }];
    };
    return [toProject(facts.projectId, 'regions', build)];
  }

  /** Regions whose posts, children or parent changed. One that is gone by now is pushed by its own removal. */
  private changed(facts: ProjectPushFacts, regionIds: readonly Id[]): readonly Emission[] {
    if (regionIds.length === 0) return [];
    const build = async (): Promise<readonly RegionPush[]> => (await this.regions.views(regionIds)).map((view) => ({ ...facts, type: 'RegionEdited', view }));
    return [toProject(facts.projectId, 'regions', build)];
  }
}

const differences = (from: readonly Id[], to: readonly Id[]): readonly Id[] => [...withoutIds(from, to), ...withoutIds(to, from)];
