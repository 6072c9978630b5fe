import { useEffect, useRef } from 'react';
import type { Playhead } from '../project/project-context';

/** Typing pauses playback and sending resumes it, unless the user pressed play or discarded the text in between. */
export function usePauseWhileWriting(playhead: Playhead) {
  /** Stops watching the player; null unless typing paused it. */
  const watch = useRef<(() => void) | null>(null);
  const forget = () => {
    watch.current?.();
    watch.current = null;
  };
  useEffect(
    () => () => {
      watch.current?.();
      watch.current = null;
    },
    [playhead],
  );
  const pause = () => {
    if (!playhead.isPlaying()) return;
    forget();
    playhead.pause();
    watch.current = playhead.subscribe(() => playhead.isPlaying() && forget());
  };
  const resume = () => {
    const wasPausedHere = watch.current !== null;
    forget();
    if (wasPausedHere) playhead.play();
  };
  return { pause, resume, forget };
}
