const TENTHS_IN_MINUTE = 600;
const MINUTES_IN_HOUR = 60;

const two = (n: number) => String(n).padStart(2, '0');

/** Rounds to tenths first, so that 59.97 becomes 1:00.0 and not 0:60.0. */
const tenthsOf = (seconds: number) => (Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 10)) : 0);

const minutesAndHours = (minutes: number) =>
  minutes < MINUTES_IN_HOUR ? String(minutes) : `${Math.floor(minutes / MINUTES_IN_HOUR)}:${two(minutes % MINUTES_IN_HOUR)}`;

/** A time in a track to the tenth of a second: 77.4 is '1:17.4', 3723 is '1:02:03.0'. Negative or NaN is '0:00.0'. */
export const formatClock = (seconds: number): string => {
  const tenths = tenthsOf(seconds);
  const rest = tenths % TENTHS_IN_MINUTE;
  return `${minutesAndHours(Math.floor(tenths / TENTHS_IN_MINUTE))}:${two(Math.floor(rest / 10))}.${rest % 10}`;
};

/** A time in a track, rounded down to the second, for rulers and text: 134.9 is '2:14'. */
export const formatMark = (seconds: number): string => formatClock(Math.floor(Math.max(0, seconds))).slice(0, -2);

/** A range in a track: '1:08.4 to 1:28.8'. */
export const formatSpan = (start: number, end: number): string => `${formatClock(start)} to ${formatClock(end)}`;

/** A length in seconds: 20.4 is '20.4 s'. */
export const formatLength = (seconds: number): string => `${(tenthsOf(seconds) / 10).toFixed(1)} s`;

const CLOCK = /^(?:(\d{1,2}):(?=\d{2}:))?(?:(\d{1,3}):(?=\d{2}))?(\d{1,4}(?:\.\d{1,3})?)$/;

/** Parses the output of {@link formatClock}, and also '1:17', '77' and '77.4', to seconds; undefined if it is not a time. */
export const parseClock = (text: string): number | undefined => {
  const match = CLOCK.exec(text.trim());
  if (!match) return undefined;
  const [, hours, minutes, seconds] = match;
  const rest = Number(seconds);
  if (minutes !== undefined && rest >= 60) return undefined;
  if (hours !== undefined && Number(minutes) >= MINUTES_IN_HOUR) return undefined;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + rest;
};
