export const CANNOT_PLAY = 'Unable to load media';
const BLOCKED = 'Your browser blocked playback. Press play again.';

/** What a refused `play()` means to who pressed it; null when nothing failed. */
export function whyNotPlaying(error: unknown): string | null {
  const name = error instanceof DOMException ? error.name : '';
  // A pause or another version came before the sound did: nothing failed.
  if (name === 'AbortError') return null;
  return name === 'NotAllowedError' ? BLOCKED : CANNOT_PLAY;
}
