import { codecName, hasDecoder } from '../../shared/format/codecs';
import type { PlayerMedia, Track } from './player-state';

export const CANNOT_PLAY = 'Unable to load media';
export const BLOCKED = 'Your browser blocked playback. Press play again.';

/** The message for a rejected `play()`; null if it is not an error. */
export function playbackErrorMessage(error: unknown): string | null {
  const name = error instanceof DOMException ? error.name : '';
  // Superseded by a pause or another version.
  if (name === 'AbortError') return null;
  return name === 'NotAllowedError' ? BLOCKED : CANNOT_PLAY;
}

/** Why a track could not be played: because this browser has no decoder for it, or anything else. */
export const failureMessage = (media: Pick<PlayerMedia, 'canPlayType'>, track: Track | null): string =>
  track === null || hasDecoder(media, track.codec) ? CANNOT_PLAY : `This browser cannot play ${codecName(track.codec)}.`;
