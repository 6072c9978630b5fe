import { useEffect, useRef, useState } from 'react';
import { useLiveState } from '../shared/live/live-provider';
import { Banner } from '../shared/ui/banner';

const BACK_MS = 3_000;

/** True for a moment after the connection came back. */
function useJustBack(isAway: boolean): boolean {
  const wasAway = useRef(false);
  const [isBack, setIsBack] = useState(false);
  useEffect(() => {
    if (isAway) wasAway.current = true;
    if (isAway || !wasAway.current) return undefined;
    wasAway.current = false;
    setIsBack(true);
    const timer = setTimeout(() => setIsBack(false), BACK_MS);
    return () => {
      clearTimeout(timer);
      setIsBack(false);
    };
  }, [isAway]);
  return isBack;
}

/** Says that the server cannot be reached, and that it can again. */
export function ConnectionBanner() {
  const state = useLiveState();
  const isAway = state === 'offline' || state === 'reconnecting';
  const isBack = useJustBack(isAway);
  if (state === 'offline') return <Banner tone="warn">You are offline. The track keeps playing, what you write is kept.</Banner>;
  if (state === 'reconnecting') return <Banner>Reconnecting, people’s changes may be a moment late.</Banner>;
  return isBack ? <Banner tone="ok">Back online.</Banner> : null;
}
