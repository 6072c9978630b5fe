import { useEffect, useEffectEvent, useState } from 'react';

/** How long the welcome page stays open without activity. */
export const INACTIVITY_MS = 300_000;
/** How long before the end the page says so. */
export const WARNING_MS = 30_000;

const CHECK_MS = 1_000;
const ACTIVITIES = ['pointerdown', 'pointermove', 'keydown', 'input', 'wheel', 'touchstart'] as const;

/**
 * Calls `onInactive` after five minutes without pointer or keyboard; again every 30 s while it fails. The clock counts, not
 * the number of ticks, because browsers suspend the timers of hidden pages.
 * @returns the seconds that are left during the last 30, otherwise null
 */
export function useInactivity(onInactive: () => Promise<void>): number | null {
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  const end = useEffectEvent(onInactive);
  useEffect(() => {
    let endsAt = Date.now() + INACTIVITY_MS;
    let isEnding = false;
    const check = () => {
      const left = endsAt - Date.now();
      setSecondsLeft(left > WARNING_MS ? null : Math.max(0, Math.ceil(left / 1_000)));
      if (left > 0 || isEnding) return;
      isEnding = true;
      void end().catch(() => {
        isEnding = false;
        endsAt = Date.now() + WARNING_MS;
      });
    };
    const stay = () => {
      // A machine that wakes up reports the pointer before the timer fires.
      check();
      if (isEnding) return;
      endsAt = Date.now() + INACTIVITY_MS;
      setSecondsLeft(null);
    };
    const timer = setInterval(check, CHECK_MS);
    for (const activity of ACTIVITIES) window.addEventListener(activity, stay, { passive: true });
    return () => {
      clearInterval(timer);
      for (const activity of ACTIVITIES) window.removeEventListener(activity, stay);
    };
  }, []);
  return secondsLeft;
}
