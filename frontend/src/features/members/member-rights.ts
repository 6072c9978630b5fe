import { accessNumber } from '@roughmix/contracts/projects/project.access.js';
import type { PermissionDiff } from '@roughmix/contracts/projects/project.api.js';
import { parseInvited, type ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';

/** A member's rights, as the owner edits them. */
export interface MemberRights {
  readonly comment: boolean;
  readonly download: boolean;
  readonly write: boolean;
}

/** A member with saved (`was`) and edited (`now`) rights. */
export interface MemberRow {
  readonly person: PersonView;
  readonly was: MemberRights;
  readonly now: MemberRights;
  readonly isRemoved: boolean;
}

/** What taking the right away does, and what it does not: playback needs the same file. */
export const DOWNLOAD_HINT = 'Without download rights there is no download button, but anyone who can listen can still keep a copy.';

const ALL: MemberRights = { comment: true, download: true, write: true };

/** A member's rights from the project's permission lists. */
export function rightsIn({ userPermissions }: Pick<ProjectView, 'userPermissions'>, uid: Uid): MemberRights {
  const level = (list: readonly string[] = []) => list.map(parseInvited).find((entry) => entry?.uid === uid)?.level;
  if (level(userPermissions?.write) !== undefined) return ALL;
  const access = level(userPermissions?.read) ?? 0;
  return { comment: (access & 1) !== 0, download: (access & 2) !== 0, write: false };
}

export const isModified = ({ was, now }: MemberRow): boolean => was.write !== now.write || (!now.write && accessNumber(was) !== accessNumber(now));

/** The changed members: with other rights, or removed. */
export const diffsOf = (rows: readonly MemberRow[]): readonly PermissionDiff[] =>
  rows
    .filter((row) => row.isRemoved || isModified(row))
    .map(({ person: { uid }, now, isRemoved }) => ({
      uid,
      permissions: now.write ? { comment: true, download: true } : { comment: now.comment, download: now.download },
      write: now.write,
      ...(isRemoved ? { removed: true as const } : {}),
    }));
