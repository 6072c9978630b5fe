const MINUS = '\u2212';

/** One decimal place, a typographic minus sign, and no minus for a rounded zero. */
export const signed = (value: number): string => {
  const shown = Math.abs(value).toFixed(1);
  return value < 0 && shown !== '0.0' ? `${MINUS}${shown}` : shown;
};
