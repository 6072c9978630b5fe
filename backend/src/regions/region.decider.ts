import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { mayDrawRegion, mayEditRegion } from '@roughmix/contracts/regions/region.access.js';
import type { RegionEvents, RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import { type ProjectState, existingVersion, type VersionFacts } from '../projects/project.state.js';

export interface RegionCommands {
  AddRegion: { readonly regionId: Id; readonly versionId: Id; readonly span: RegionSpan };
  EditRegion: { readonly regionId: Id; readonly change: Partial<RegionSpan> };
  RemoveRegion: { readonly regionId: Id };
}

/** Whether a span, rounded to the millisecond, is within the track and long enough to be audible. */
export const fits = (span: RegionSpan, version: VersionFacts): boolean =>
  span.start >= 0 && span.end <= toMillis(version.file.duration + LIMITS.regionSlackSeconds) && span.end - span.start >= LIMITS.shortestRegionSeconds - 1e-9;

const sameSpan = (one: RegionSpan, other: RegionSpan): boolean =>
  one.start === other.start && one.end === other.end && one.tag === other.tag && one.label === other.label;

/** The comments and replies that are tagged with a region. */
const taggedWith = (regionId: Id, project: ProjectState): readonly Id[] =>
  Object.entries(project.comments).flatMap(([commentId, { marks, removed }]) => (!removed && marks.taggedRegions.includes(regionId) ? commentId : []));

export const regionRules: Rules<RegionCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  AddRegion({ regionId, versionId, span }, project, who) {
    if (!mayDrawRegion(who)) return refuse('project.not-allowed');
    const version = existingVersion(project, versionId);
    if (version === null) return refuse('version.not-found');
    if (!fits(span, version)) return refuse('region.out-of-bounds');
    return [{ type: 'RegionAdded', data: { regionId, versionId, span } }];
  },

  EditRegion({ regionId, change }, project, who) {
    const region = project.regions[regionId];
    if (region === undefined) return refuse('region.not-found');
    if (!mayEditRegion(who, region)) return refuse('region.not-yours');
    const version = existingVersion(project, region.versionId);
    if (version === null) return refuse('version.not-found');
    const to = { ...region.span, ...change };
    if (!fits(to, version)) return refuse('region.out-of-bounds');
    return sameSpan(region.span, to) ? [] : [{ type: 'RegionEdited', data: { regionId, from: region.span, to } }];
  },

  RemoveRegion({ regionId }, project, who) {
    const region = project.regions[regionId];
    if (region === undefined) return refuse('region.not-found');
    return mayEditRegion(who, region) ? [{ type: 'RegionRemoved', data: { regionId, commentIds: taggedWith(regionId, project) } }] : refuse('region.not-yours');
  },
};

export const regionFolds: Folds<RegionEvents, ProjectState> = {
  RegionAdded(project, { data, meta }) {
    project.regions[data.regionId] = { authorUid: meta.actorUid ?? '', versionId: data.versionId, span: data.span };
    return project;
  },
  RegionEdited(project, { data }) {
    const region = project.regions[data.regionId];
    if (region !== undefined) project.regions[data.regionId] = { ...region, span: data.to };
    return project;
  },
  RegionRemoved(project, { data }) {
    delete project.regions[data.regionId];
    for (const commentId of data.commentIds) {
      const comment = project.comments[commentId];
      if (comment === undefined) continue;
      const taggedRegions = comment.marks.taggedRegions.filter((id) => id !== data.regionId);
      project.comments[commentId] = { ...comment, marks: { ...comment.marks, taggedRegions } };
    }
    return project;
  },
};
