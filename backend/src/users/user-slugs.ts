import type { UserEvents, UserNames } from '@roughmix/contracts/users/user.events.js';
import { isDerivedUsername } from '@roughmix/contracts/users/username.js';
import { usernameSlug } from '@roughmix/contracts/users/user.view.js';

/** The slugs that lead to a user. */
export interface UserSlugs {
  /** Those of the current username and of earlier ones that they chose, the first one first. */
  readonly slugs: readonly string[];
  /** Nobody chose the current username: its slug is dropped with it, as it may say more about the person than they want to tell. */
  readonly hasDerivedUsername: boolean;
}

export const slugsAtFirst = (names: UserNames): UserSlugs => ({ slugs: [usernameSlug(names.username)], hasDerivedUsername: isDerivedUsername(names) });

/** After a rename. A username that differs was chosen, unless the welcome form derived it ({@link slugsOnceComplete}). */
export function slugsOnceRenamed({ slugs, hasDerivedUsername }: UserSlugs, { from, to }: Pick<UserEvents['UserRenamed'], 'from' | 'to'>): UserSlugs {
  if (from.username === to.username) return { slugs, hasDerivedUsername };
  const kept = hasDerivedUsername ? slugs.filter((slug) => slug !== usernameSlug(from.username)) : slugs;
  return { slugs: [...new Set([...kept, usernameSlug(to.username)])], hasDerivedUsername: false };
}

/** After the welcome form, whose events do not tell a username that it derived from one that was typed: one that follows from the names counts as derived. */
export const slugsOnceComplete = ({ slugs, ...names }: Pick<UserSlugs, 'slugs'> & UserNames): UserSlugs => ({
  slugs,
  hasDerivedUsername: isDerivedUsername(names),
});
