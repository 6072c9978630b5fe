const MINUS = '\u2212';

/** One decimal place, a typographic minus sign, and no minus for a rounded zero. */
const signed = (value: number): string => {
  const shown = Math.abs(value).toFixed(1);
  return value < 0 && shown !== '0.0' ? `${MINUS}${shown}` : shown;
};

/** Integrated loudness: -11.9 is '−11.9 LUFS'. Minus infinity is 'silent'. */
export const formatLoudness = (lufs: number): string => (Number.isFinite(lufs) ? `${signed(lufs)} LUFS` : 'silent');

/** True peak: -0.8 is '−0.8 dBTP'. */
export const formatTruePeak = (dbtp: number): string => (Number.isFinite(dbtp) ? `${signed(dbtp)} dBTP` : 'silent');

/** Gain of loudness matching: -2.3 is 'turned down 2.3 dB', 0.02 is 'unchanged'. */
export const formatGain = (db: number): string => {
  const amount = Math.abs(db).toFixed(1);
  if (amount === '0.0') return 'unchanged';
  return `turned ${db < 0 ? 'down' : 'up'} ${amount} dB`;
};
