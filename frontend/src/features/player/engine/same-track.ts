import type { Track } from '../player-state';

export const sameTrack = (one: Track | null, other: Track | null): boolean => one?.versionId === other?.versionId && one?.url === other?.url;

/** True if the version's file was replaced: its analysis is gone, or its duration has changed. */
export const isReplaced = (known: Track, track: Track): boolean =>
  sameTrack(known, track) && (known.duration !== track.duration || (known.loudness !== null && track.loudness === null));
