import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';
import { categoryClass } from '../../../shared/ui/category';
import { classNames } from '../../../shared/ui/class-names';
import styles from './demo-wave.module.css';

/** What infra/site-pictures.mjs has drawn: whole mixes of the demo songs, and the part of one that the hero shows. */
export type DemoWaveName = 'low-tide-1.0' | 'low-tide-1.1' | 'low-tide-2.0' | 'low-tide-2.0-hero' | 'paper-moon-1.0';

/** A coloured part, in shares of the picture from 0 to 1. */
export interface DemoMark {
  readonly start: number;
  readonly end: number;
  readonly category: GroupRegionCategory;
  readonly isSelected?: boolean;
}

export interface WaveLayerProps {
  readonly wave: DemoWaveName;
  readonly marks?: readonly DemoMark[];
  readonly isPlayed?: boolean;
}

/** A share of the picture as CSS writes it. */
export const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

const maskOf = (wave: DemoWaveName, layer: 'envelope' | 'body') => ({ maskImage: `url("/site/waves/${wave}-${layer}.svg")` });

/**
 * A wave in the player's colours, all of it played or not. Its shape is a mask that was made from the song's peaks, so that it is there before
 * any script runs. Fills the nearest positioned ancestor.
 */
export function WaveLayer({ wave, marks = [], isPlayed = false }: WaveLayerProps) {
  const parts = marks.map(({ start, end, category, isSelected }) => (
    <i
      key={start}
      className={classNames(categoryClass(category), isSelected && styles.selected)}
      style={{ left: percent(start), width: percent(end - start) }}
    />
  ));
  return (
    <span className={classNames(styles.layer, isPlayed && styles.played)} aria-hidden="true">
      <span className={styles.envelope} style={maskOf(wave, 'envelope')}>
        {parts}
      </span>
      <span className={styles.body} style={maskOf(wave, 'body')}>
        {parts}
      </span>
    </span>
  );
}

/** A wave that is played up to a share from 0 to 1. Hidden from assistive technology, because it is an illustration. */
export const DemoWave = ({ played, ...layer }: Omit<WaveLayerProps, 'isPlayed'> & { readonly played: number }) => (
  <span className={styles.wave} aria-hidden="true">
    <WaveLayer {...layer} />
    {played > 0 && (
      <span className={styles.layer} style={{ clipPath: `inset(0 ${percent(1 - played)} 0 0)` }}>
        <WaveLayer {...layer} isPlayed />
      </span>
    )}
  </span>
);
