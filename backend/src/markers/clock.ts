const two = (value: number): string => String(value).padStart(2, '0');

/** Seconds as `h:mm:ss.mmm`. */
export function clock(seconds: number): string {
  const millis = Math.round(seconds * 1_000);
  const whole = Math.floor(millis / 1_000);
  return `${Math.floor(whole / 3_600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${String(millis % 1_000).padStart(3, '0')}`;
}
