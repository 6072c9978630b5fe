import { useState } from 'react';
import { classNames } from '../../../shared/ui/class-names';
import { Switch } from '../../../shared/ui/switch';
import { DemoWave, type DemoWaveName } from '../demo/demo-wave';
import styles from './landing.module.css';

interface DemoVersion {
  readonly wave: DemoWaveName;
  readonly number: string;
  readonly summary: string;
  /** LUFS. */
  readonly loudness: number;
}

/** With the loudness that the analysis measures. */
const VERSIONS: readonly DemoVersion[] = [
  { wave: 'low-tide-1.0', number: '1.0', summary: 'Demo, all dry', loudness: -25.6 },
  { wave: 'low-tide-1.1', number: '1.1', summary: 'More bass, a room', loudness: -18.3 },
  { wave: 'low-tide-2.0', number: '2.0', summary: 'Vocal up', loudness: -8.8 },
];
const HEARD = '2.0';
const QUIETEST = -25.6;
const PLAYED = 0.38;

const DECIBELS_PER_FACTOR_TEN = 20;
const decibels = (value: number): string => value.toFixed(1).replace('-', '−');
/** What a version is turned down by, in decibels. */
const cutOf = (loudness: number): number => loudness - QUIETEST;

function Row({ version, isMatched }: { readonly version: DemoVersion; readonly isMatched: boolean }) {
  const { wave, number, summary, loudness } = version;
  const gain = isMatched ? 10 ** (-cutOf(loudness) / DECIBELS_PER_FACTOR_TEN) : 1;
  const isHeard = number === HEARD;
  return (
    <li className={classNames(styles.version, isHeard && styles.heard)} aria-current={isHeard || undefined}>
      <span>
        <b>{number}</b>
        <span className="meta">{summary}</span>
      </span>
      <span className={styles.small} style={{ transform: `scaleY(${gain.toFixed(3)})` }}>
        <DemoWave wave={wave} played={isHeard ? PLAYED : 0} />
      </span>
      <span className="meta">{decibels(isMatched ? QUIETEST : loudness)} LUFS</span>
    </li>
  );
}

/** Three versions of the demo song; the switch shows them at the same loudness. */
export function VersionsPicture() {
  const [isMatched, setMatched] = useState(false);
  const heard = VERSIONS.find(({ number }) => number === HEARD);
  return (
    <div className={styles.demo}>
      <ul aria-label="Versions of Low Tide">
        {VERSIONS.map((version) => (
          <Row key={version.number} version={version} isMatched={isMatched} />
        ))}
      </ul>
      <div className={styles.match}>
        <Switch label="Match loudness" isSelected={isMatched} onChange={setMatched} isSounding />
        <span className="meta" role="status">
          {isMatched && heard ? `${HEARD} turned down ${decibels(cutOf(heard.loudness))} dB` : ''}
        </span>
      </div>
    </div>
  );
}
