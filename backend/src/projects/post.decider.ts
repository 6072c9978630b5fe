import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import { type Id, type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import { type Marks, sameStamp, type Stamp, UNMARKED, type WantedMarks } from '@roughmix/contracts/shared/marks.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { leftChildren, resolveTags } from '../regions/tagged-region.decider.js';
import { existingVersion, type ProjectState } from './project.state.js';

/** A post's text in the stored form, with the members it mentions: each once, without the author. */
export interface StoredText {
  readonly content: string;
  readonly taggedUsers: readonly Uid[];
}

/** The marks with which a post is stored, and the child regions that must be added before it. */
export interface ResolvedMarks {
  readonly marks: Marks;
  readonly children: readonly ProjectStreamEvent[];
}

/**
 * The marks with which a post is stored, or why they are refused: every region and the stamp's version must be in the project. Marks that are not wanted stay
 * as they were in `before`, even after their target is gone.
 */
export function resolveMarks(wanted: WantedMarks, project: ProjectState, before: Marks = UNMARKED): ResolvedMarks | Refusal {
  const tags = wanted.taggedRegions === undefined ? undefined : resolveTags(wanted.taggedRegions, project);
  if (tags !== undefined && isRefusal(tags)) return tags;
  const stamp = wanted.stamp === undefined ? before.stamp : wanted.stamp;
  const problem = sameStamp(stamp, before.stamp) ? null : stampProblem(stamp, project);
  if (problem !== null) return problem;
  const taggedRegions = tags?.map(({ regionId }) => regionId) ?? before.taggedRegions;
  return { marks: { taggedRegions, stamp }, children: tags?.flatMap(({ child }) => child ?? []) ?? [] };
}

function stampProblem(stamp: Stamp | null, project: ProjectState): Refusal | null {
  if (stamp === null) return null;
  const version = existingVersion(project, stamp.versionId);
  if (version === null) return refuse('version.not-found');
  return stamp.at < 0 || stamp.at > toMillis(version.file.duration) ? refuse('stamp.out-of-bounds') : null;
}

/** The version that a new post belongs to: the one it names, or else the current one; null when the project has none. */
function versionOfPost(versionId: Id | null, project: ProjectState): Id | null | Refusal {
  if (versionId === null) return project.versionIds.at(-1) ?? null;
  return existingVersion(project, versionId) === null ? refuse('version.not-found') : versionId;
}

/** Where a new post is stored. */
export interface Place {
  readonly versionId: Id | null;
  readonly marks: Marks;
}

/** The events of a new post: the child region that it creates, if any, and the post itself. Or why it is refused. */
export function addPost(
  post: { readonly versionId: Id | null; readonly marks: WantedMarks },
  project: ProjectState,
  added: (place: Place) => ProjectStreamEvent,
): readonly ProjectStreamEvent[] | Refusal {
  const versionId = versionOfPost(post.versionId, project);
  if (isRefusal(versionId)) return versionId;
  const resolved = resolveMarks(post.marks, project);
  return isRefusal(resolved) ? resolved : [...resolved.children, added({ versionId, marks: resolved.marks })];
}

/** The events of a post whose marks change: the child region that it creates, the edit, and the removal of a child that no post is tagged with any more. */
export const editPost = (
  postId: Id,
  { before, to }: { readonly before: Marks; readonly to: ResolvedMarks },
  project: ProjectState,
  edited: ProjectStreamEvent,
): readonly ProjectStreamEvent[] => {
  const dropped = withoutIds(before.taggedRegions, to.marks.taggedRegions);
  return [...to.children, edited, ...leftChildren(dropped, [postId], project)];
};

/** The events of removing posts: the removal, and those of child regions that no post is tagged with any more. */
export const removePosts = (
  posts: { readonly ids: readonly Id[]; readonly taggedRegions: readonly Id[] },
  project: ProjectState,
  removed: ProjectStreamEvent,
): readonly ProjectStreamEvent[] => [removed, ...leftChildren(posts.taggedRegions, posts.ids, project)];
