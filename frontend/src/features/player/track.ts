import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { Track } from './player-state';

/** The version's audio; null if there is none to play. */
export function trackOf(version: VersionView | null): Track | null {
  if (version === null || version.state === 'rejected') return null;
  const { _id, projectId, versionUrl, duration, analysis, playback } = version;
  return { versionId: _id, projectId, url: versionUrl, duration, loudness: analysis?.loudness ?? null, codec: playback.codec };
}

/** The audio of those that can be played. */
export const tracksOf = (versions: readonly VersionView[]): readonly Track[] => versions.map(trackOf).filter((track) => track !== null);
