import { useCallback, useEffect, useRef } from 'react';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import type { PlayerStore } from './player-state';
import { isInside } from './playback-maths';
import { type Span, ZOOM_STEP } from './time-scale';
import type { TrackView } from './use-track-view';

/** Distance that an arrow key moves the playhead. */
const NUDGE_SECONDS = 5;

/** The selection, which Space plays and L loops. */
export interface SelectedSpan extends Span {
  readonly id: string;
}

/** Loops the selection or the whole track; stops an active loop. */
export function toggleLoop(store: PlayerStore, selected: Span | null): void {
  const { loop, duration } = store.getSnapshot();
  if (loop) store.setLoop(null);
  else store.setLoop(selected ? { start: selected.start, end: selected.end } : { start: 0, end: duration });
}

export interface PlayerActions {
  readonly onPlay: () => void;
  readonly onLoop: () => void;
}

/** Plays and loops the selection, or else the track. The loop follows its region's bounds and ends with the selection. */
export function usePlayerActions(store: PlayerStore, selected: SelectedSpan | null): PlayerActions {
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

export function usePlayerKeys(
  store: PlayerStore,
  { onPlay, onLoop }: PlayerActions,
  { zoom, setZoom }: Pick<TrackView, 'zoom' | 'setZoom'>,
  onHelp: () => void,
): void {
  const zoomBy = (steps: number) => setZoom(zoom + steps * ZOOM_STEP, store.getSnapshot().position);
  useShortcuts([
    { keys: ['Space'], label: 'Play or pause; a selected region plays from its start', run: onPlay },
    { keys: ['Enter'], label: 'Go to the start', run: store.rewind },
    { keys: ['ArrowLeft'], label: `Back ${NUDGE_SECONDS} seconds`, run: () => store.nudge(-NUDGE_SECONDS) },
    { keys: ['ArrowRight'], label: `Forward ${NUDGE_SECONDS} seconds`, run: () => store.nudge(NUDGE_SECONDS) },
    { keys: ['l'], label: 'Loop the selected region, or the whole track', run: onLoop },
    // On many keyboards + is Shift and =, so accept both.
    { keys: ['+', '='], caps: ['+'], label: 'Zoom in', run: () => zoomBy(1) },
    { keys: ['-'], label: 'Zoom out', run: () => zoomBy(-1) },
    { keys: ['?'], label: 'Show keyboard shortcuts', run: onHelp },
  ]);
}
