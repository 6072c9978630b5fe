import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { loadToasts } from './load-toasts';
import { PlainToasts } from './plain-toasts';
import { type QueuedToast, type Toaster, ToasterContext, withRoom } from './toast-queue';
import { useEver } from './use-ever';

const ToastList = lazy(async () => {
  try {
    return await loadToasts();
  } catch {
    // Offline before the list was preloaded: show the message without its styles.
    return { default: PlainToasts };
  }
});

/** Calls `onLeft` of each toast that is no longer queued. */
function useLeft(queue: readonly QueuedToast[]): void {
  const known = useRef(queue);
  useEffect(() => {
    const left = known.current.filter((toast) => !queue.includes(toast));
    known.current = queue;
    for (const { onLeft } of left) onLeft?.();
  }, [queue]);
}

/** Short messages for everything inside it: announced politely, kept while hovered or focused, dismissed by Escape. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [queue, setQueue] = useState<readonly QueuedToast[]>([]);
  const lastId = useRef(0);
  useLeft(queue);
  const isUsed = useEver(queue.length > 0);
  const toaster = useMemo<Toaster>(
    () => ({
      show: (message) => {
        lastId.current += 1;
        const id = lastId.current;
        setQueue((before) => withRoom([...before, { ...message, id }]));
        return id;
      },
      dismiss: (id) => setQueue((before) => before.filter((toast) => toast.id !== id)),
    }),
    [],
  );
  return (
    <ToasterContext value={toaster}>
      {children}
      {/* In the top layer, or an open dialog would make it inert and silent, and a press on Retry would close the dialog. */}
      <section aria-label="Messages" aria-live="polite" aria-relevant="additions" data-react-aria-top-layer="true">
        {isUsed && (
          <Suspense fallback={null}>
            <ToastList queue={queue} onLeave={toaster.dismiss} onClear={() => setQueue([])} />
          </Suspense>
        )}
      </section>
    </ToasterContext>
  );
}
