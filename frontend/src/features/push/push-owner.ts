import type { Uid } from '@roughmix/contracts/shared/ids.js';

const KEY = 'roughmix.push';

/** Who turned on push messages in this browser; null if nobody did, or if it blocks storage. They end with the user's session, which the browser cannot see. */
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
