import type { PlayerStore } from './player-state';

/** Resumes at the playhead; a span that is played once stops at its end. */
export function resumePlayback(store: PlayerStore): void {
  const { position, stopAt } = store.getSnapshot();
  if (stopAt !== null && position < stopAt) store.playSpan({ start: position, end: stopAt });
  else store.play();
}
