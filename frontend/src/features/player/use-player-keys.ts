import { useCallback, useEffect, useRef } from 'react';
import { type KeyMap, useKeys } from '../../shared/hooks/use-keys';
import type { PlayerStore } from './player-state';
import { isInside } from './playing-maths';
import { type Span, ZOOM_STEP } from './time-scale';
import type { TrackView } from './use-track-view';

/** Seconds that an arrow moves. */
const NUDGE_SECONDS = 5;

/** What Space plays and L loops. */
export interface SelectedSpan extends Span {
  readonly id: string;
}

/** Loops what is selected, else the whole track; a second time ends it. */
export function toggleLoop(store: PlayerStore, selected: Span | null): void {
  const { loop, duration } = store.getSnapshot();
  if (loop) store.setLoop(null);
  else store.setLoop(selected ? { start: selected.start, end: selected.end } : { start: 0, end: duration });
}

export interface PlayerActs {
  readonly onPlay: () => void;
  readonly onLoop: () => void;
}

/** Plays and loops what is selected, else the track. The loop goes along when its region is changed, and ends with the selection. */
export function usePlayerActs(store: PlayerStore, selected: SelectedSpan | null): PlayerActs {
  const before = useRef<string | null>(null);
  const { id = null, start = 0, end = 0 } = selected ?? {};
  useEffect(() => {
    const isSame = before.current === id;
    before.current = id;
    if (store.getSnapshot().loop === null) return;
    if (!isSame) store.setLoop(null);
    else if (id !== null) store.setLoop({ start, end });
  }, [store, id, start, end]);

  const onPlay = useCallback(() => {
    const { playing, position, loop } = store.getSnapshot();
    if (!playing && selected && !loop && !isInside(position, selected)) store.playSpan(selected);
    else store.toggle();
  }, [store, selected]);

  const onLoop = useCallback(() => toggleLoop(store, selected), [store, selected]);

  return { onPlay, onLoop };
}

/** The player's part of the page's keys. */
export function usePlayerKeys(
  store: PlayerStore,
  { onPlay, onLoop }: PlayerActs,
  { zoom, setZoom }: Pick<TrackView, 'zoom' | 'setZoom'>,
  onHelp: () => void,
): void {
  const zoomBy = (steps: number) => setZoom(zoom + steps * ZOOM_STEP, store.getSnapshot().position);
  const keys: KeyMap = {
    Space: onPlay,
    Enter: store.rewind,
    ArrowLeft: () => store.nudge(-NUDGE_SECONDS),
    ArrowRight: () => store.nudge(NUDGE_SECONDS),
    l: onLoop,
    '+': () => zoomBy(1),
    '=': () => zoomBy(1),
    '-': () => zoomBy(-1),
    '?': onHelp,
  };
  useKeys(keys);
}
