import type { Id } from '@roughmix/contracts/shared/ids.js';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { useToast } from '../ui/toast-queue';
import { PendingRemovals } from './pending-removals';

const PendingRemovalsContext = createContext<PendingRemovals | null>(null);

/** Removals wait here, so that they survive a change of page. They are sent at once when the page is hidden or closed. */
export function RemovalsProvider({ children }: { readonly children: ReactNode }) {
  const toaster = useToast();
  const [removals] = useState(() => new PendingRemovals(toaster));
  useEffect(() => {
    const flush = () => {
      if (document.visibilityState === 'hidden') void removals.flush({ keepalive: true });
    };
    const flushOnClose = () => void removals.flush({ keepalive: true });
    // Phones often end a hidden page without another event.
    document.addEventListener('visibilitychange', flush);
    window.addEventListener('pagehide', flushOnClose);
    return () => {
      document.removeEventListener('visibilitychange', flush);
      window.removeEventListener('pagehide', flushOnClose);
    };
  }, [removals]);
  return <PendingRemovalsContext value={removals}>{children}</PendingRemovalsContext>;
}

/** Removes items with an Undo. @throws when no `<RemovalsProvider>` is above */
export function usePendingRemovals(): PendingRemovals {
  const removals = useContext(PendingRemovalsContext);
  if (removals === null) throw new Error('no RemovalsProvider above');
  return removals;
}

/** The ids of items that are being removed: lists leave them out. */
export function useRemovedIds(): ReadonlySet<Id> {
  const { subscribe, getSnapshot } = usePendingRemovals();
  return useSyncExternalStore(subscribe, getSnapshot);
}
