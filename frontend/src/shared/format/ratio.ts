import { signed } from './decimal';

const SEMITONES_IN_OCTAVE = 12;

/** A share of one: 0.75 is '75 %'. */
export const formatPercent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

/** A ratio as the player's sliders show it: 0.75 is '0.75', 1 is '1.00'. */
export const formatRatio = (ratio: number): string => ratio.toFixed(2);

/** A ratio of frequencies in equal-tempered semitones: 2 is '+12.0', 0.5 is '−12.0', 1 is '0.0'. */
export const formatSemitones = (ratio: number): string => {
  const shown = signed(SEMITONES_IN_OCTAVE * Math.log2(ratio));
  return ratio > 1 && shown !== '0.0' ? `+${shown}` : shown;
};
