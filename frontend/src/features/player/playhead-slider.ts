import { type RefObject, useCallback } from 'react';
import { formatClock } from '../../shared/format/time';
import type { PlayerState, PlayerStore } from './player-state';
import { useEachFrame } from './use-player';

/** Tenths of a second while paused, whole seconds during playback: otherwise a screen reader would announce continuously. */
function updateSlider(element: HTMLElement, { position, duration, playing }: PlayerState): void {
  const value = playing ? Math.floor(position) : Math.round(position * 10) / 10;
  if (element.getAttribute('aria-valuenow') === String(value) && element.getAttribute('aria-valuemax') === String(duration)) return;
  element.setAttribute('aria-valuenow', String(value));
  element.setAttribute('aria-valuemax', String(duration));
  element.setAttribute('aria-valuetext', `${formatClock(value)} of ${formatClock(duration)}`);
}

/** Keeps the value of a slider of time current, without re-rendering. */
export function usePlayheadSlider(store: PlayerStore, slider: RefObject<HTMLElement | null>): void {
  useEachFrame(
    store,
    useCallback((state: PlayerState) => slider.current && updateSlider(slider.current, state), [slider]),
  );
}
