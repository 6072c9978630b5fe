import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';

/*
 * What the rules need to know as of just before an event: documents of the notifications' own projector.
 */

export const PROJECT_FACTS = 'notifications-projects';
export const POST_FACTS = 'notifications-posts';
export const VERSION_FACTS = 'notifications-versions';
export const REGION_FACTS = 'notifications-regions';

/** Users who are removed and added again within this time are not notified again. */
const MEMBERSHIP_NOTICE_REST_MS = 86_400_000;

/** A notification that a user was added to the project, or removed from it. */
export interface MembershipNotice {
  readonly type: 'ProjectUsersInvited' | 'ProjectUsersRemoved';
  readonly uid: Uid;
  readonly at: Instant;
}

/** People are added to the project, or removed from it. */
export interface MembershipNews extends Omit<MembershipNotice, 'uid'> {
  readonly uids: readonly Uid[];
}

export interface ProjectFacts {
  readonly projectId: Id;
  readonly projectName: string;
  readonly ownerUid: Uid;
  /** Who gets its notifications: the owner and the members, without erased people. */
  readonly memberUids: readonly Uid[];
  /** It has had a version. */
  readonly started: boolean;
  /** Until {@link MEMBERSHIP_NOTICE_REST_MS} has passed since. */
  readonly notices: readonly MembershipNotice[];
}

const isRecent = (notice: MembershipNotice, at: Instant): boolean => at - notice.at < MEMBERSHIP_NOTICE_REST_MS;

/** Those of the users who were not notified of the same recently. */
export function notYetNotified(notices: readonly MembershipNotice[], { type, uids, at }: MembershipNews): readonly Uid[] {
  const recent = new Set(notices.filter((notice) => notice.type === type && isRecent(notice, at)).map(({ uid }) => uid));
  return uids.filter((uid) => !recent.has(uid));
}

/** The notices to remember after this news. */
export const withNotices = (notices: readonly MembershipNotice[], now: MembershipNews): readonly MembershipNotice[] => [
  ...notices.filter((notice) => isRecent(notice, now.at)),
  ...notYetNotified(notices, now).map((uid) => ({ type: now.type, uid, at: now.at })),
];

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
