import { Injectable } from '@nestjs/common';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Stored } from '../kernel/decider.js';
import type { StoredEvent } from '../kernel/event.js';
import { factsOf, type LiveStep, type PushFacts, type PushSource, toEverybody } from '../platform/live/live-message.js';
import { RegionsQueries } from './regions.queries.js';

/** What browsers hear of regions, also of those that a comment came to or left. */
@Injectable()
export class RegionsPushes implements PushSource {
  constructor(private readonly regions: RegionsQueries) {}

  async steps(stored: StoredEvent): Promise<readonly LiveStep[]> {
    const event = stored as Stored<ProjectStreamEvent>;
    const facts = factsOf(event);
    switch (event.type) {
      case 'RegionAdded':
      case 'RegionEdited':
        return this.shown(facts, event.type, [event.data.regionId]);
      case 'RegionRemoved':
        return toEverybody('regions', { ...facts, type: 'RegionRemoved', ids: [event.data.regionId] });
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

  private async shown(facts: PushFacts, type: 'RegionAdded' | 'RegionEdited', regionIds: readonly Id[]): Promise<readonly LiveStep[]> {
    if (regionIds.length === 0) return [];
    const views = await this.regions.views(regionIds);
    const missing = regionIds.filter((regionId) => !views.some((view) => view._id === regionId));
    const gone = missing.length > 0 && (await this.regions.isParked(facts.projectId)) ? [] : missing;
    return [
      ...views.flatMap((view) => toEverybody('regions', { ...facts, type, view })),
      ...(gone.length === 0 ? [] : toEverybody('regions', { ...facts, type: 'RegionRemoved', ids: gone })),
    ];
  }
}

const differences = (from: readonly Id[], to: readonly Id[]): readonly Id[] => [
  ...from.filter((id) => !to.includes(id)),
  ...to.filter((id) => !from.includes(id)),
];
