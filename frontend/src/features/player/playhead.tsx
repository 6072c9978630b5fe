import { useCallback, useRef } from 'react';
import { formatClock } from '../../shared/format/time';
import { isJump } from './playback-maths';
import type { PlayerState, PlayerStore } from './player-state';
import type { TrackView } from './use-track-view';
import { useDensity } from '../../shared/wave/use-wave-colours';
import { useEachFrame } from './use-player';
import { onPixel } from '../../shared/wave/wave-drawing';

/** While following, scroll when the playhead passes the first value, and put it at the second; fractions of the visible width. */
const TURN_AT = 0.94;
const TURN_TO = 0.08;
/** Half the flag's width: closer to an end of the track, the flag is aligned to one side. */
const FLAG_PX = 28;

export interface PlayheadProps {
  readonly store: PlayerStore;
  readonly view: TrackView;
}

/** The playhead with its time on a flag. The track follows it during playback unless the user scrolled away. */
export function Playhead({ store, view }: PlayheadProps) {
  const line = useRef<HTMLDivElement>(null);
  const flag = useRef<HTMLElement>(null);
  const density = useDensity();
  const { scale, visibleWidth, scroll, scrollTo, isFollowing } = view;
  const before = useRef<number | null>(null);
  const place = useCallback(
    ({ position, playing, loop }: PlayerState) => {
      if (!line.current || !flag.current) return;
      const x = scale.toX(position);
      const shift = `translateX(${onPixel(x, density)}px)`;
      if (line.current.style.transform !== shift) line.current.style.transform = shift;
      const text = formatClock(position);
      if (flag.current.textContent !== text) flag.current.textContent = text;
      const edge = x < FLAG_PX ? 'start' : x > scale.width - FLAG_PX ? 'end' : '';
      if (flag.current.dataset.edge !== edge) flag.current.dataset.edge = edge;
      const isSeek = before.current !== null && isJump(before.current, position, loop);
      before.current = position;
      if (isSeek) isFollowing.set(true);
      const inSight = x - scroll.get();
      const isOutOfSight = inSight < 0 || inSight > visibleWidth * TURN_AT;
      if ((playing || isSeek) && isFollowing.get() && isOutOfSight && scale.width > visibleWidth) scrollTo(x - visibleWidth * TURN_TO);
    },
    [scale, visibleWidth, scroll, scrollTo, isFollowing, density],
  );
  useEachFrame(store, place);
  return (
    <div ref={line} className="ph-main" aria-hidden="true">
      <b ref={flag} />
    </div>
  );
}
