import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useEffect } from 'react';
import { beforeSignOut } from '../../shared/session/before-sign-out';
import { useSession } from '../../shared/session/session-provider';
import { pushOwner } from './push-owner';

/** After everything that is shown or heard first. */
const KEEP_MS = 5_000;

const loadPushHere = () => import('./push-here');

/** Keeps push messages to this browser with the session of the user who turned them on. */
export function usePushUpkeep({ uid }: Pick<SelfView, 'uid'>): void {
  const { signIns } = useSession();
  useEffect(() => {
    if (pushOwner() === null) return undefined;
    // If it fails, the next visit tries again.
    const keep = async () => (await loadPushHere()).keepPushes(uid);
    const timer = setTimeout(() => void keep().catch(() => undefined), KEEP_MS);
    return () => clearTimeout(timer);
  }, [uid, signIns]);
}

/** Ends them when the user signs out, on any page. */
export const usePushEnd = (): void => useEffect(() => beforeSignOut(async () => (pushOwner() === null ? undefined : (await loadPushHere()).endPushes())), []);
