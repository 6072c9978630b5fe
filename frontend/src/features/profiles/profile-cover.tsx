import { FINEST_SAMPLES_PER_COLUMN } from '@roughmix/contracts/media/peaks.js';
import type { ProfileProject } from '@roughmix/contracts/profiles/profile.view.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { asWholeTrack, levelOf } from '../../shared/wave/peaks';
import { useWholeTrackWave } from '../../shared/wave/use-whole-track-wave';
import { useDensity } from '../../shared/wave/use-wave-colours';
import styles from './profiles.module.css';

/** The whole track in the inks of played music, in the detail that the screen can show. */
function CoverWave({ peaksUrl }: { readonly peaksUrl: string }) {
  const container = useRef<HTMLDivElement>(null);
  const density = useDensity();
  const { data: coarse } = useQuery(levelOf(peaksUrl, 0));
  const isTooCoarse = coarse !== undefined && coarse.columns < window.innerWidth * density && coarse.samplesPerColumn > FINEST_SAMPLES_PER_COLUMN;
  const { data: fine } = useQuery({ ...levelOf(peaksUrl, 1), enabled: isTooCoarse });
  // The finer level first, if it is on its way: the wave is drawn once.
  const level = isTooCoarse ? fine : coarse;
  const peaks = useMemo(() => (level ? asWholeTrack(level) : null), [level]);
  useWholeTrackWave(container, { duration: 1, peaks, hasPlayhead: false, isPlayed: true });
  return <div ref={container} className="whole-canvas" />;
}

export interface ProfileCoverProps {
  /** The person's latest project; null without one. */
  readonly latest: ProfileProject | null;
  /** The path of the cover picture, for when there is no waveform. */
  readonly picture: string | null;
}

/** The waveform of the latest project, else the cover picture, else the plain background. */
export function ProfileCover({ latest, picture }: ProfileCoverProps) {
  const peaksUrl = latest?.peaksUrl ?? null;
  if (latest === null || peaksUrl === null) {
    return picture === null ? <div className={styles.plainCover} /> : <img className={styles.cover} src={picture} alt="" />;
  }
  return (
    <div className={styles.cover}>
      <CoverWave key={peaksUrl} peaksUrl={peaksUrl} />
      <span className={`meta cut ${styles.caption}`}>
        {latest.projectName}
        {latest.currentVersion !== null && `, ${versionNumber(latest.currentVersion)}`}
      </span>
    </div>
  );
}
