import { signed } from './decimal';

/** Integrated loudness: -11.9 is '−11.9 LUFS'. Minus infinity is 'silent'. */
export const formatLoudness = (lufs: number): string => (Number.isFinite(lufs) ? `${signed(lufs)} LUFS` : 'silent');

/** True peak: -0.8 is '−0.8 dBTP'. */
export const formatTruePeak = (dbtp: number): string => (Number.isFinite(dbtp) ? `${signed(dbtp)} dBTP` : 'silent');

/** A sample peak in decibels of full scale: -1 is '−1.0 dBFS'. Minus infinity is 'silent'. */
export const formatPeak = (dbfs: number): string => (Number.isFinite(dbfs) ? `${signed(dbfs)} dBFS` : 'silent');

/** Gain of loudness matching: -2.3 is 'turned down 2.3 dB', 0.02 is 'unchanged'. */
export const formatGain = (db: number): string => {
  const amount = Math.abs(db).toFixed(1);
  if (amount === '0.0') return 'unchanged';
  return `turned ${db < 0 ? 'down' : 'up'} ${amount} dB`;
};
