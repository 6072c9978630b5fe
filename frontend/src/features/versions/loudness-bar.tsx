import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { CSSProperties } from 'react';
import { formatLoudness } from '../../shared/format/loudness';
import { quietestOf } from '../../shared/project/loudness-match';
import './versions.css';

/** LUFS at the ends of the bar. */
const LEFT_END = -30;
const RIGHT_END = -6;

const placeOf = (loudness: number): number => Math.min(1, Math.max(0, (loudness - LEFT_END) / (RIGHT_END - LEFT_END)));

const loudnessOf = ({ analysis }: VersionView): number | null => analysis?.loudness ?? null;

function sentenceOf(version: VersionView, quietest: VersionView, quietestLoudness: number): string {
  if (loudnessOf(version) === null) return 'Silent, so it is not matched.';
  if (quietest === version) return 'The quietest version. Loudness match turns the others down to it.';
  return `Mark: ${versionNumber(quietest)} at ${formatLoudness(quietestLoudness)}, the quietest. Loudness match turns the others down to it.`;
}

/** The version's loudness beside that of the quietest, which loudness match turns the others down to. */
export function LoudnessBar({ version, versions }: { readonly version: VersionView; readonly versions: readonly VersionView[] }) {
  const quietest = quietestOf(versions.map((one) => ({ one, loudness: loudnessOf(one) })));
  if (quietest === null || version.state !== 'ready') return null;
  const loudness = loudnessOf(version);
  return (
    <div>
      {loudness !== null && (
        <div className="lufs" aria-hidden="true" style={{ '--level': placeOf(loudness), '--quietest': placeOf(quietest.loudness) } as CSSProperties} />
      )}
      <span className="meta">{sentenceOf(version, quietest.one, quietest.loudness)}</span>
    </div>
  );
}
