import type { Span } from './time-scale';

/** A loop that ends this close to the end of the file ends with it: decoders stop slightly early. */
const FILE_END_SLACK_SECONDS = 0.2;

/** Clamps to 0 … `most`; NaN becomes 0. */
export const clamp = (value: number, most: number): number => (Number.isFinite(value) ? Math.min(Math.max(value, 0), most) : 0);

/** True from the start up to, but not including, the end. */
export const isInside = (seconds: number, span: Span): boolean => seconds >= span.start && seconds < span.end;

/** True if playback from `before` to `now` passed the end; false after a seek beyond it. */
export const crossesEnd = (before: number, now: number, span: Span): boolean => before < span.end && now >= span.end && before >= span.start;

/** True if a loop ends with the file, so that `ended` repeats it instead of the playhead's time. */
export const endsTrack = (span: Span, duration: number): boolean => span.end >= duration - FILE_END_SLACK_SECONDS;
