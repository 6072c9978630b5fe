import type { Id } from '@roughmix/contracts/shared/ids.js';
import { versionUrl } from '@roughmix/contracts/versions/version.view.js';
import { useEffect } from 'react';
import type { AppPlayer } from '../features/player/player-state';
import { usePlayer } from '../features/player/use-player';
import { api } from '../shared/api/client';
import { useStableCallback } from '../shared/hooks/use-stable-callback';
import { useLive, useLiveState } from '../shared/live/live-provider';
import { useSession } from '../shared/session/session-provider';
import { type Loss, PLAYED_CHANNELS, playedLive } from './played-access';

/** Interval of access checks during playback while there is no live connection. */
const RECHECK_MS = 3_000;

/** Checks access at once, and repeatedly while `isRepeated`. @returns a function that stops the checks */
function watchRight(versionId: Id, isRepeated: boolean, onLost: () => void): () => void {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = async () => {
    // Without an answer access is unknown: keep playing what has been loaded.
    const isAllowed = await api.isAllowed(versionUrl(versionId), { signal: end.signal }).catch(() => true);
    if (end.signal.aborted) return;
    if (!isAllowed) onLost();
    else if (isRepeated) timer = setTimeout(() => void check(), RECHECK_MS);
  };
  void check();
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}

/**
 * Stops playback and drops the audio when the user loses access. Pushes report the loss; the server is also asked after each start and failure of
 * playback, and when the live connection is lost or restored.
 */
export function usePlayedAccess(player: AppPlayer, onLost: (loss: Loss, projectId: Id) => void): void {
  const uid = useSession().user?.uid ?? '';
  const live = useLive();
  const isOnline = useLiveState() === 'online';
  const hasFailed = usePlayer(player, ({ error }) => error !== null);
  const checkedId = usePlayer(player, ({ playing, error, versionId }) => (playing || error !== null ? versionId : null));
  const report = useStableCallback((loss: Loss) => {
    const { projectId } = player.getSnapshot();
    if (projectId === null) return;
    onLost(loss, projectId);
    player.release(projectId);
  });
  useEffect(() => {
    const handlers = playedLive(uid, player.getSnapshot, report);
    const ownHandlers = playedLive(uid, player.getSnapshot, () => report('announced'));
    return live.listen({ channels: PLAYED_CHANNELS, handlers, ownHandlers });
  }, [live, uid, player, report]);
  // Losing access also makes audio fail to load, with an error that does not say why.
  const isRepeated = !isOnline && !hasFailed;
  useEffect(
    () => (checkedId === null ? undefined : watchRight(checkedId, isRepeated, () => report('unknown'))),
    [checkedId, isOnline, hasFailed, isRepeated, report],
  );
}
