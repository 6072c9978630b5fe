import type { Uid } from '@roughmix/contracts/shared/ids.js';

const KEY = 'roughmix.push';

/** The user who turned on push messages in this browser; null if none did, or if it blocks storage. The browser cannot see when that user's session ends. */
export function pushOwner(): Uid | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @throws if the browser blocks storage */
export function setPushOwner(uid: Uid | null): void {
  if (uid === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, uid);
}
