/** Rounds a position in audio, in seconds, to the millisecond. */
export const toMillis = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** A position in audio for display: `m:ss`. */
export function minuteSecond(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** The wire's `timespan` of a region: `m:ss – m:ss`. */
export const timespan = (start: number, end: number): string => `${minuteSecond(start)} – ${minuteSecond(end)}`;
