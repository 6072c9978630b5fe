import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { type Marks, sameStamp, UNMARKED } from '@roughmix/contracts/shared/marks.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { existingVersion, type ProjectState } from './project.state.js';

/** A post's text in the stored form, with the members it mentions: each once, without the author. */
export interface StoredText {
  readonly content: string;
  readonly taggedUsers: readonly Uid[];
}

/**
 * The marks with which a post is stored, or why they are refused: every region and the stamp's version must be in the project. Marks from `before` may stay
 * after their target is gone.
 */
export function resolveMarks(marks: Marks, project: ProjectState, before: Marks = UNMARKED): Marks | Refusal {
  const added = marks.taggedRegions.filter((regionId) => !before.taggedRegions.includes(regionId));
  if (added.some((regionId) => project.regions[regionId] === undefined)) return refuse('region.not-found');
  if (marks.stamp === null || sameStamp(marks.stamp, before.stamp)) return marks;
  const version = existingVersion(project, marks.stamp.versionId);
  if (version === null) return refuse('version.not-found');
  return marks.stamp.at < 0 || marks.stamp.at > toMillis(version.file.duration) ? refuse('stamp.out-of-bounds') : marks;
}

/** The version that a new post belongs to: the one it names, or else the current one; null when the project has none. */
function versionOfPost(versionId: Id | null, project: ProjectState): Id | null | Refusal {
  if (versionId === null) return project.versionIds.at(-1) ?? null;
  return existingVersion(project, versionId) === null ? refuse('version.not-found') : versionId;
}

/** A new post's version and marks, or why they are refused. */
export function placePost(
  post: { readonly versionId: Id | null; readonly marks: Marks },
  project: ProjectState,
): { readonly versionId: Id | null; readonly marks: Marks } | Refusal {
  const versionId = versionOfPost(post.versionId, project);
  if (isRefusal(versionId)) return versionId;
  const marks = resolveMarks(post.marks, project);
  return isRefusal(marks) ? marks : { versionId, marks };
}
