export const CANNOT_PLAY = 'Unable to load media';
const BLOCKED = 'The browser did not let the sound begin. Press play once more.';

/** The message for a rejected `play()`; null if it is not an error. */
export function playbackErrorMessage(error: unknown): string | null {
  const name = error instanceof DOMException ? error.name : '';
  // Superseded by a pause or another version.
  if (name === 'AbortError') return null;
  return name === 'NotAllowedError' ? BLOCKED : CANNOT_PLAY;
}
