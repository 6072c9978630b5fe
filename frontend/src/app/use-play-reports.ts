import { useEffect } from 'react';
import { ListeningMeter } from '../features/plays/listening-meter';
import type { PlayerStore } from '../features/player/player-state';
import { useLive } from '../shared/live/live-provider';
import { useSession } from '../shared/session/session-provider';

const CHECK_MS = 5_000;

/** Reports to the server how long each version played, also when the page is left. Guests are not counted. */
export function usePlayReports(player: PlayerStore): void {
  const live = useLive();
  const { user } = useSession();
  const isCounted = user !== null && !user.isGuest;
  useEffect(() => {
    if (!isCounted) return undefined;
    const meter = new ListeningMeter(() => performance.now());
    const hear = () => {
      const { playing, isBuffering, playingVersionId, versionId } = player.getSnapshot();
      meter.hear(playing && !isBuffering ? (playingVersionId ?? versionId) : null);
    };
    const report = (isLeaving: boolean) => {
      for (const played of meter.take(isLeaving)) live.reportPlayed(played);
    };
    const leave = () => report(true);
    hear();
    const unsubscribe = player.subscribe(hear);
    const timer = setInterval(() => report(false), CHECK_MS);
    window.addEventListener('pagehide', leave);
    return () => {
      unsubscribe();
      clearInterval(timer);
      window.removeEventListener('pagehide', leave);
    };
  }, [player, live, isCounted]);
}
