import type { Push } from '@roughmix/contracts/live.js';

const REMEMBERED = 2_000;

const isPrivateNote = (push: Push): boolean => push.type === 'ProjectNotes' && push.view.owner.notes?.private !== undefined;

/** Whether a push was sent to one user's room because only that user may see it. Except for private notes, the project's room gets a push for the same event too. */
export const isPersonal = (push: Push): boolean =>
  'permissionLevel' in push ||
  isPrivateNote(push) ||
  (push.view !== undefined && 'negs' in push.view) ||
  (push.type === 'ProjectUsersRemoved' && push.view === undefined);

const subjectsOf = (push: Push): readonly string[] => push.ids ?? (push.view === undefined ? [push.set] : [push.view._id]);
const keyOf = (push: Push): string => [push.position, push.type, ...subjectsOf(push), isPersonal(push)].join(' ');

/** Creates a filter that accepts each push once: after a lost connection some are sent again. */
export function createPushFilter(): (push: Push) => boolean {
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
