import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useCallback, useEffect, useRef } from 'react';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import type { PlayerStore } from './player-state';
import { isInside, NUDGE_SECONDS } from './playback-maths';
import { ZOOM_STEP } from './time-scale';
import type { Span } from '../../shared/wave/span';
import type { TrackView } from './use-track-view';

/** The selection, which Space plays and L loops. */
export interface SelectedSpan extends Span {
  readonly id: string;
  /** True if Space should play from its start and continue beyond its end. */
  readonly isMoment?: boolean;
}

/** Loops the selection or the whole track; stops an active loop. */
export function toggleLoop(store: PlayerStore, selected: Span | null): void {
  const { loop, duration } = store.getSnapshot();
  if (loop) store.setLoop(null);
  else if (duration > 0) store.setLoop(selected ? { start: selected.start, end: selected.end } : { start: 0, end: duration });
}

export interface PlayerActions {
  readonly onPlay: () => void;
  readonly onLoop: () => void;
}

/**
 * Plays and loops the selection, or else the track. The loop follows its region's bounds and ends with the selection, unless another
 * version is opened: regions belong to one version, and the loop plays the same moments of the other.
 */
export function usePlayerActions(store: PlayerStore, selected: SelectedSpan | null, versionId: Id | null): PlayerActions {
  const { id = null, start = 0, end = 0 } = selected ?? {};
  const before = useRef({ id, versionId });
  useEffect(() => {
    const last = before.current;
    before.current = { id, versionId };
    const { loop } = store.getSnapshot();
    if (loop === null) return;
    if (last.id === id) {
      if (id !== null) store.setLoop({ start, end });
    } else if (last.versionId === versionId || (id !== null && (loop.start !== start || loop.end !== end))) store.setLoop(null);
  }, [store, id, start, end, versionId]);

  const onPlay = useCallback(() => {
    const { playing, position, loop } = store.getSnapshot();
    if (playing || loop || selected === null) return store.toggle();
    const from = isInside(position, selected) ? position : selected.start;
    if (!selected.isMoment) return store.playSpan({ start: from, end: selected.end });
    store.seek(from);
    store.play();
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
    { keys: ['Space'], label: 'Play or pause; a selected region or post plays from its start', run: onPlay },
    { keys: ['Enter'], label: 'Go to the start', run: store.rewind },
    { keys: ['ArrowLeft'], label: `Back ${NUDGE_SECONDS} seconds`, run: () => store.nudge(-NUDGE_SECONDS) },
    { keys: ['ArrowRight'], label: `Forward ${NUDGE_SECONDS} seconds`, run: () => store.nudge(NUDGE_SECONDS) },
    { keys: ['l'], label: 'Loop the selected region or post, or the whole track', run: onLoop },
    // On many keyboards + is Shift and =, so accept both.
    { keys: ['+', '='], caps: ['+'], label: 'Zoom in', run: () => zoomBy(1) },
    { keys: ['-'], label: 'Zoom out', run: () => zoomBy(-1) },
    { keys: ['?'], label: 'Show keyboard shortcuts', run: onHelp },
  ]);
}
