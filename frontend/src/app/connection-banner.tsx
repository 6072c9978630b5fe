import { useEffect, useRef, useState } from 'react';
import { useLiveState } from '../shared/live/live-provider';
import type { LiveState } from '../shared/live/stores';
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

function bannerOf(state: LiveState, isBack: boolean) {
  if (state === 'offline') return <Banner tone="warn">You are offline. The track keeps playing. What you write is kept and sent later.</Banner>;
  if (state === 'reconnecting') return <Banner>Reconnecting. Other people’s changes may be delayed.</Banner>;
  return isBack ? <Banner tone="ok">Back online.</Banner> : null;
}

/** Says that the server cannot be reached, and that it can again. */
export function ConnectionBanner() {
  const state = useLiveState();
  const isBack = useJustBack(state === 'offline' || state === 'reconnecting');
  return <div className="connection">{bannerOf(state, isBack)}</div>;
}
