import { formatClock } from '../../shared/format/time';
import type { PlayerStore } from './player-state';
import { usePlayer } from './use-player';

/** The playhead's time. Not announced by screen readers as it changes. */
export function Clock({ store }: { readonly store: PlayerStore }) {
  const text = usePlayer(store, ({ position }) => formatClock(position));
  return (
    <span className="clock" aria-live="off">
      {text}
    </span>
  );
}
