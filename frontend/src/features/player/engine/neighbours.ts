import type { Track } from '../player-state';

/** The number of keys that select a version. */
const MOST = 8;

/** The other versions, nearest first. */
export function neighboursOf(tracks: readonly Track[], track: Track): readonly Track[] {
  const at = tracks.findIndex(({ versionId }) => versionId === track.versionId);
  const distance = (other: Track) => Math.abs(tracks.indexOf(other) - at);
  return tracks
    .filter(({ versionId }) => versionId !== track.versionId)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, MOST);
}
