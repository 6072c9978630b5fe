import { type RefObject, useEffect, useState } from 'react';
import { useMedia } from '../../../shared/hooks/use-media';
import { formatClock } from '../../../shared/format/time';
import { saidAt, secondsAt, SHOWN_SECONDS, STARTS_AT } from './demonstration';

const MS = 1_000;
/** The playhead runs from the first to the last share of the picture, again and again: as far as the picture is on the screen. */
const WIDE = { first: 0.02, last: 0.97 };
const NARROW = { first: 0.17, last: 0.58 };
const IS_NARROW = '(max-width: 916.98px)';

/** The moving parts of the picture. */
export interface MovingParts {
  /** Cuts off what is not yet played. */
  readonly played: RefObject<HTMLDivElement | null>;
  /** The wave in it, which stands still. */
  readonly wave: RefObject<HTMLDivElement | null>;
  readonly playhead: RefObject<HTMLDivElement | null>;
  readonly clock: RefObject<HTMLElement | null>;
}

const moved = (share: number): string => `translateX(${(share * 100).toFixed(3)}%)`;

/** The transforms at a position from 0 to 1. */
export const transformsAt = (share: number) => ({ played: moved(share - 1), wave: moved(1 - share), playhead: moved(share) });

function place({ played, wave, playhead, clock }: MovingParts, share: number): void {
  const to = transformsAt(share);
  if (played.current) played.current.style.transform = to.played;
  if (wave.current) wave.current.style.transform = to.wave;
  if (playhead.current) playhead.current.style.transform = to.playhead;
  if (clock.current) clock.current.textContent = formatClock(secondsAt(share));
}

/** Moves the playhead in real time, without sound. @returns the id of the comment on the region under it */
export function useDemonstration(parts: MovingParts, isRunning: boolean): string | null {
  const { first, last } = useMedia(IS_NARROW) ? NARROW : WIDE;
  const [position] = useState({ share: STARTS_AT });
  const [said, setSaid] = useState(() => saidAt(secondsAt(STARTS_AT)));
  useEffect(() => {
    if (!isRunning) return undefined;
    let before: number | null = null;
    const step = (now: number) => {
      position.share += before === null ? 0 : (now - before) / MS / SHOWN_SECONDS;
      if (position.share > last) position.share = first;
      before = now;
      place(parts, position.share);
      setSaid(saidAt(secondsAt(position.share)));
      frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [isRunning, parts, position, first, last]);
  return said;
}
