import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Marks, SpanChange, WantedTag } from '@roughmix/contracts/shared/marks.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { existingVersion, type ProjectState, type RegionFacts } from '../projects/project.state.js';

/** Why a span is refused in a version, or null. A span is rounded to the millisecond, within the track, and long enough to be audible. */
export function spanProblem(span: RegionSpan, versionId: Id, project: ProjectState): Refusal | null {
  const version = existingVersion(project, versionId);
  if (version === null) return refuse('version.not-found');
  const fits = span.start >= 0 && span.end <= toMillis(version.file.duration + LIMITS.regionSlackSeconds);
  return fits && span.end - span.start >= LIMITS.shortestRegionSeconds - 1e-9 ? null : refuse('region.out-of-bounds');
}

export const sameSpan = (one: RegionSpan, other: RegionSpan): boolean =>
  one.start === other.start && one.end === other.end && one.tag === other.tag && one.label === other.label;

/** A tag that can be stored: the region's id, and the event that creates the region if it is a new child. */
interface ResolvedTag {
  readonly regionId: Id;
  readonly child: ProjectStreamEvent | null;
}

/** The region that a post is tagged with: the saved one, or a child of it if the writer changed it. A child of a child gets the same parent. */
function resolveTag({ regionId, change, childId }: WantedTag, project: ProjectState): ResolvedTag | Refusal {
  const region = project.regions[regionId];
  if (region === undefined) return refuse('region.not-found');
  const span = { ...region.span, ...change };
  if (sameSpan(span, region.span)) return { regionId, child: null };
  const problem = spanProblem(span, region.versionId, project);
  if (problem !== null) return problem;
  const data = { regionId: childId, parentRegionId: region.parentRegionId ?? regionId, versionId: region.versionId, span: { ...span, label: null } };
  return { regionId: childId, child: { type: 'ChildRegionAdded', data } };
}

/** All of these tags, or the first refusal. */
export function resolveTags(wanted: readonly WantedTag[], project: ProjectState): readonly ResolvedTag[] | Refusal {
  const resolved: ResolvedTag[] = [];
  for (const tag of wanted) {
    const one = resolveTag(tag, project);
    if (isRefusal(one)) return one;
    resolved.push(one);
  }
  return resolved;
}

/** A change of one post's tag: to a region or, with a changed span, a child of it; from this region to none; from one of this region's children back to it. */
export type TagChange =
  | { readonly to: 'region'; readonly regionId: Id; readonly span: SpanChange }
  | { readonly to: 'nothing' | 'parent'; readonly regionId: Id };

/** A change of a post's tag. `childId` is the id of the child that it creates, if any. */
export interface TagCommand {
  readonly change: TagChange;
  readonly childId: Id;
}

/** The tags that a change asks for, or `region.not-found` when the post does not have the tag to be changed. */
export function wantedTags({ change, childId }: TagCommand, { taggedRegions }: Marks, project: ProjectState): readonly WantedTag[] | Refusal {
  const { regionId } = change;
  if (change.to === 'region') return [{ regionId, change: change.span, childId }];
  const isTagged = taggedRegions.some((id) => (change.to === 'parent' ? project.regions[id]?.parentRegionId : id) === regionId);
  if (!isTagged) return refuse('region.not-found');
  return change.to === 'parent' ? [{ regionId, change: {}, childId }] : [];
}

const idsOfTagged = (posts: Readonly<Record<Id, { readonly marks: Marks; readonly removed?: boolean }>>, regionId: Id): readonly Id[] =>
  Object.entries(posts).flatMap(([id, { marks, removed = false }]) => (!removed && marks.taggedRegions.includes(regionId) ? id : []));

/** The posts that are tagged with a region. */
const postsTaggedWith = (regionId: Id, project: ProjectState): { readonly commentIds: readonly Id[]; readonly todoIds: readonly Id[] } => ({
  commentIds: idsOfTagged(project.comments, regionId),
  todoIds: idsOfTagged(project.todos, regionId),
});

const childIdsOf = (regionId: Id, project: ProjectState): readonly Id[] =>
  Object.entries(project.regions).flatMap(([id, { parentRegionId }]) => (parentRegionId === regionId ? id : []));

/** The removal of a region: its posts lose the tag, its children become ordinary regions. */
export const regionRemoval = (regionId: Id, { parentRegionId }: RegionFacts, project: ProjectState): ProjectStreamEvent => ({
  type: 'RegionRemoved.v2',
  data: { regionId, parentRegionId, childIds: childIdsOf(regionId, project), ...postsTaggedWith(regionId, project) },
});

/** Removals of the children among these regions that no post is tagged with once `postIds` no longer are. */
export const leftChildren = (regionIds: readonly Id[], postIds: readonly Id[], project: ProjectState): readonly ProjectStreamEvent[] =>
  regionIds.flatMap((regionId): readonly ProjectStreamEvent[] => {
    const parentRegionId = project.regions[regionId]?.parentRegionId ?? null;
    const { commentIds, todoIds } = postsTaggedWith(regionId, project);
    if (parentRegionId === null || [...commentIds, ...todoIds].some((id) => !postIds.includes(id))) return [];
    return [{ type: 'RegionRemoved.v2', data: { regionId, parentRegionId, childIds: [], commentIds: [], todoIds: [] } }];
  });
