import { useCallback, useEffect, useRef } from 'react';
import type { Playhead } from '../project/project-context';

/** How far the playhead may still move after a pause: the player corrects it once the sound has faded out. */
const SETTLING_SECONDS = 0.5;

/** Calls `onTouched` once the user plays, seeks or switches versions. @returns a function that stops watching */
function watchPaused(playhead: Playhead, onTouched: () => void): () => void {
  const versionId = playhead.versionId();
  const position = playhead.position();
  return playhead.subscribe(() => {
    const hasMoved = Math.abs(playhead.position() - position) > SETTLING_SECONDS;
    if (hasMoved || playhead.isPlaying() || playhead.versionId() !== versionId) onTouched();
  });
}

/**
 * Typing pauses playback and sending resumes it, once. Not after the user has played, sought, switched versions, left the page or
 * discarded the text in between.
 */
export function usePauseWhileWriting(playhead: Playhead) {
  /** Stops watching the player; null unless typing paused it. */
  const watch = useRef<(() => void) | null>(null);
  const forget = useCallback(() => {
    watch.current?.();
    watch.current = null;
  }, []);
  useEffect(() => forget, [playhead, forget]);
  const pause = () => {
    if (!playhead.isPlaying()) return;
    forget();
    playhead.pause();
    watch.current = watchPaused(playhead, forget);
  };
  const resume = () => {
    const wasPausedHere = watch.current !== null;
    forget();
    if (wasPausedHere) playhead.resume();
  };
  return { pause, resume, forget };
}
