import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { mayDrawRegion, mayEditRegion } from '@roughmix/contracts/regions/region.access.js';
import type { RegionEvents, RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Marks } from '@roughmix/contracts/shared/marks.js';
import type { Folds, Rules } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';
import type { ProjectState, RegionFacts } from '../projects/project.state.js';
import { regionRemoval, sameSpan, spanProblem } from './tagged-region.decider.js';

export interface RegionCommands {
  AddRegion: { readonly regionId: Id; readonly versionId: Id; readonly span: RegionSpan };
  EditRegion: { readonly regionId: Id; readonly change: Partial<RegionSpan> };
  RemoveRegion: { readonly regionId: Id };
}

export const regionRules: Rules<RegionCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  AddRegion({ regionId, versionId, span }, project, who) {
    if (!mayDrawRegion(who)) return refuse('project.not-allowed');
    if (project.regions[regionId] !== undefined) return [];
    return spanProblem(span, versionId, project) ?? [{ type: 'RegionAdded', data: { regionId, versionId, span } }];
  },

  EditRegion({ regionId, change }, project, who) {
    const region = project.regions[regionId];
    if (region === undefined) return refuse('region.not-found');
    if (!mayEditRegion(who, region)) return refuse('region.not-yours');
    const to = { ...region.span, ...change };
    const problem = spanProblem(to, region.versionId, project);
    if (problem !== null) return problem;
    return sameSpan(region.span, to) ? [] : [{ type: 'RegionEdited', data: { regionId, from: region.span, to } }];
  },

  RemoveRegion({ regionId }, project, who) {
    const region = project.regions[regionId];
    if (region === undefined) return refuse('region.not-found');
    return mayEditRegion(who, region) ? [regionRemoval(regionId, region, project)] : refuse('region.not-yours', { detail: 'Permission denied' });
  },
};

const withoutTag = <Post extends { readonly marks: Marks }>(posts: Record<Id, Post>, postIds: readonly Id[], regionId: Id): void => {
  for (const postId of postIds) {
    const post = posts[postId];
    if (post === undefined) continue;
    posts[postId] = { ...post, marks: { ...post.marks, taggedRegions: post.marks.taggedRegions.filter((id) => id !== regionId) } };
  }
};

const changeRegion = (project: ProjectState, regionId: Id, change: Partial<RegionFacts>): ProjectState => {
  const region = project.regions[regionId];
  if (region !== undefined) project.regions[regionId] = { ...region, ...change };
  return project;
};

export const regionFolds: Folds<RegionEvents, ProjectState> = {
  RegionAdded(project, { data, meta }) {
    project.regions[data.regionId] = { authorUid: meta.actorUid ?? '', versionId: data.versionId, span: data.span, parentRegionId: null };
    return project;
  },
  ChildRegionAdded(project, { data, meta }) {
    const { versionId, span, parentRegionId } = data;
    project.regions[data.regionId] = { authorUid: meta.actorUid ?? '', versionId, span, parentRegionId };
    return project;
  },
  RegionEdited: (project, { data }) => changeRegion(project, data.regionId, { span: data.to }),
  'RegionRemoved.v2'(project, { data }) {
    delete project.regions[data.regionId];
    for (const childId of data.childIds) changeRegion(project, childId, { parentRegionId: null });
    withoutTag(project.comments, data.commentIds, data.regionId);
    withoutTag(project.todos, data.todoIds, data.regionId);
    return project;
  },
};
