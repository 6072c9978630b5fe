import { Injectable } from '@nestjs/common';
import { projectStream, type ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { RegionView, TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { timespan } from '@roughmix/contracts/shared/span.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { type RegionDocument, REGIONS } from './regions.documents.js';

function regionView(region: RegionDocument, people: People): RegionView {
  const { regionId, projectId, versionId, start, end, tag, label, dateAdded, edited, commentIds, todoIds, position } = region;
  const facts = { projectId, versionId, start, end, tag, label, dateAdded, edited, commentIds, todoIds, position };
  return {
    _id: regionId,
    ...facts,
    groupId: null,
    timespan: timespan(start, end),
    user: people(region.authorUid),
    parentRegion: region.parentRegionId,
    childRegion: region.childIds.at(-1) ?? null,
  };
}

/** The events that change the tags of posts. */
export type RegionChange = Extract<ProjectStreamEvent, { type: 'RegionEdited' | 'RegionRemoved.v2' }>;

/** The regions of a post's tags, as its view shows them; removed ones are left out. */
export type TaggedRegions = (regionIds: readonly Id[]) => readonly TaggedRegionView[];

function taggedView(region: RegionView): TaggedRegionView {
  const { _id, tag, timespan: span, start, end, parentRegion } = region;
  return { _id, tag, timespan: span, start, end, childRegion: parentRegion === null ? null : _id };
}

@Injectable()
export class RegionsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
  ) {}

  /** Regions in the requested order, without an access check: the caller has done it. */
  async views(regionIds: readonly Id[]): Promise<readonly RegionView[]> {
    const regions = await this.reads.getMany<RegionDocument>(REGIONS, regionIds);
    const people = await this.users.people(regions.map((region) => region.authorUid));
    return regions.map((region) => regionView(region, people));
  }

  /** The comments or todos whose tags the event changed: those of an edited region; for a removed one its own, which lost the tag, and its children's. */
  async retaggedBy(event: RegionChange, list: 'commentIds' | 'todoIds'): Promise<readonly Id[]> {
    const isRemoved = event.type === 'RegionRemoved.v2';
    const changed = await this.views(isRemoved ? event.data.childIds : [event.data.regionId]);
    return [...(isRemoved ? event.data[list] : []), ...changed.flatMap((region) => region[list])];
  }

  /** Reads the regions that posts are tagged with. */
  async tagged(regionIds: readonly Id[]): Promise<TaggedRegions> {
    const views = new Map((await this.views(regionIds)).map((view) => [view._id, taggedView(view)]));
    return (ids) => ids.flatMap((id) => views.get(id) ?? []);
  }

  /** The regions of these that the user may see. */
  async byIds(regionIds: readonly Id[], uid: Uid): Promise<readonly RegionView[]> {
    const views = await this.views(regionIds);
    const seen = await this.access.allSeenBy(
      views.map((view) => view.projectId),
      uid,
    );
    return views.filter((view) => seen.has(view.projectId));
  }

  /** Whether the read model has parked the project at an unreadable event, so regions do not show later changes. */
  isParked(projectId: Id): Promise<boolean> {
    return this.reads.isParked(REGIONS, projectStream(projectId));
  }
}
