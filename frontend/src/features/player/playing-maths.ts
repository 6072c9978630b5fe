import type { Span } from './time-scale';

/** How far before the end of a file a loop's end counts as it: decoders stop a little early. */
const FILE_END_SLACK_SECONDS = 0.2;

/** A number from 0 to `most`; 0 for what is no number. */
export const within = (value: number, most: number): number => (Number.isFinite(value) ? Math.min(Math.max(value, 0), most) : 0);

/** The end belongs to what comes after. */
export const isInside = (seconds: number, span: Span): boolean => seconds >= span.start && seconds < span.end;

/** True when playing on from `before` to `now` went over the end; who sought beyond it is not called back. */
export const crossesEnd = (before: number, now: number, span: Span): boolean => before < span.end && now >= span.end && before >= span.start;

/** A loop that lasts until the file is over is turned round by the element's end, not by its clock. */
export const endsTrack = (span: Span, duration: number): boolean => span.end >= duration - FILE_END_SLACK_SECONDS;
