import { usernameSlug } from '../users/user.view.js';

/** The paths of profile pages and connections. */
export const PROFILE_PATHS = {
  /** @param href the page's path: '/@slug' or '/home' */
  page: (href: string) => `/api/users/fetchProfilePageUserData?href=${encodeURIComponent(href)}`,
  connections: (uid: string) => `/api/users/${uid}/fetchUserConnections`,
  connection: (uid: string, otherUid: string) => `/api/users/${uid}/connections/${otherUid}`,
} as const;

/** The slug of a profile page's path, '/@slug', decoded if it is percent-encoded; null for any other path. */
export function slugIn(path: string): string | null {
  const slug = /^\/@([^/?#]+)$/.exec(path)?.[1];
  if (slug === undefined) return null;
  try {
    return decodeURIComponent(slug);
  } catch {
    // A lone % or bytes that are not UTF-8: no username has one.
    return null;
  }
}

/** The page of a user with this username. */
export const profilePage = (username: string): string => `/@${usernameSlug(username)}`;
