import type { Id } from '@roughmix/contracts/shared/ids.js';
import { formatClock, formatLength, formatMark } from '../../shared/format/time';
import type { PlayerState, PlayerStore } from './player-state';
import { usePlayer } from './use-player';

export interface PlaybackStatusProps {
  readonly store: PlayerStore;
  /** The version's number. */
  readonly nameOf: (versionId: Id) => string;
}

/** What playback is waiting for, why it paused by itself, or that this version has ended. */
export function noticeOf(
  { isOutputLost, isBuffering, loadingVersionId, hasEnded, versionId, duration }: PlayerState,
  nameOf: PlaybackStatusProps['nameOf'],
): string | null {
  if (loadingVersionId !== null) return `loading ${nameOf(loadingVersionId)}`;
  if (isBuffering) return 'buffering';
  if (isOutputLost) return 'audio output disconnected';
  if (hasEnded && versionId !== null) return `${nameOf(versionId)} ended at ${formatMark(duration)}`;
  return null;
}

export const loopOf = ({ loop, limitation }: PlayerState): string | null =>
  loop && `looping ${formatLength(loop.end - loop.start)}${limitation !== null ? ', approximately' : ''}`;

/** The track's length and the playback notice, or the error. */
export function PlaybackStatus({ store, nameOf }: PlaybackStatusProps) {
  const duration = usePlayer(store, (state) => state.duration);
  const error = usePlayer(store, (state) => state.error);
  const notice = usePlayer(store, (state) => noticeOf(state, nameOf));
  const loop = usePlayer(store, loopOf);
  if (error !== null) {
    return (
      <span className="error" role="alert">
        {error}
      </span>
    );
  }
  return (
    <span className="meta playback-status">
      <span>of {formatClock(duration)}</span>
      <span role="status">{notice}</span>
      {notice === null && loop !== null && <span>{loop}</span>}
    </span>
  );
}
