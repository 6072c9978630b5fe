import type { Track } from '../player-state';

export const sameTrack = (one: Track | null, other: Track | null): boolean => one?.versionId === other?.versionId && one?.url === other?.url;

/** True if the version's audio was replaced: its analysis is gone, its duration has changed, or there is a copy in another codec now. */
export const isReplaced = (known: Track, track: Track): boolean =>
  sameTrack(known, track) && (known.duration !== track.duration || known.codec !== track.codec || (known.loudness !== null && track.loudness === null));
