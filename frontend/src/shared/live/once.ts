import type { Push } from '@roughmix/contracts/live.js';

const REMEMBERED = 2_000;

/** Whether it holds what only this person may know: a room's message of the same event does not stand for it. */
const isOwn = (push: Push): boolean => 'permissionLevel' in push || (push.view !== undefined && 'negs' in push.view);
const keyOf = (push: Push): string => [push.position, push.type, ...(push.ids ?? [push.view._id]), isOwn(push)].join(' ');

/** Tells messages that come for the first time from those told again after a lost connection. */
export function createOnce(): (push: Push) => boolean {
  const seen = new Set<string>();
  return (push) => {
    const key = keyOf(push);
    if (seen.has(key)) return false;
    seen.add(key);
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(oldest);
    }
    return true;
  };
}
