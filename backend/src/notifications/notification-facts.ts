import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';

/*
 * What the rules need to know as of just before an event: documents of the notifications' own projector.
 */

export const PROJECT_FACTS = 'notifications-projects';
export const POST_FACTS = 'notifications-posts';
export const VERSION_FACTS = 'notifications-versions';
export const REGION_FACTS = 'notifications-regions';

export interface ProjectFacts {
  readonly projectId: Id;
  readonly projectName: string;
  readonly ownerUid: Uid;
  /** Who gets its notifications: the owner and the members, without erased people. */
  readonly memberUids: readonly Uid[];
  /** It has had a version. */
  readonly started: boolean;
}

/** A comment, a todo, or a reply to one. */
export interface PostFacts {
  readonly postId: Id;
  readonly projectId: Id;
  readonly authorUid: Uid;
  readonly parentId: Id | null;
  readonly taggedUsers: readonly Uid[];
  readonly taggedRegions: readonly Id[];
  /** Removed, but kept as a placeholder because it has replies. */
  readonly removed: boolean;
}

export interface VersionFacts {
  readonly versionId: Id;
  readonly projectId: Id;
  readonly number: string;
  readonly uploaderUid: Uid;
}

export interface RegionFacts {
  readonly regionId: Id;
  readonly projectId: Id;
  readonly label: string | null;
  readonly category: RegionCategory;
}

/** What is known before an event: its project, and whatever else its rule asked for. */
export interface Known {
  readonly project: ProjectFacts | null;
  readonly posts: ReadonlyMap<Id, PostFacts>;
  readonly versions: ReadonlyMap<Id, VersionFacts>;
  readonly regions: ReadonlyMap<Id, RegionFacts>;
}
