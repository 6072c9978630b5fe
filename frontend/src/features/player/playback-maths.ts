import type { Span } from '../../shared/wave/span';

/** Distance that an arrow key, or a seek key of the system, moves the playhead. */
export const NUDGE_SECONDS = 5;

/** A loop that ends this close to the end of the file ends with it: decoders stop slightly early. */
const FILE_END_SLACK_SECONDS = 0.2;

/** Clamps to 0 … `most`; NaN becomes 0. */
export const clamp = (value: number, most: number): number => (Number.isFinite(value) ? Math.min(Math.max(value, 0), most) : 0);

/** True from the start up to, but not including, the end. */
export const isInside = (seconds: number, span: Span): boolean => seconds >= span.start && seconds < span.end;

/** True if playback from `before` to `now` passed the end; false after a seek beyond it. */
export const crossesEnd = (before: number, now: number, span: Span): boolean => before < span.end && now >= span.end && before >= span.start;

/** True if a loop ends with the file, so that `ended` repeats it instead of the playhead's time. */
export const endsTrack = (span: Span, duration: number): boolean => span.start < duration && span.end >= duration - FILE_END_SLACK_SECONDS;

/** Above the playhead's movement per animation frame, even at double tempo. In seconds. */
const JUMP_SECONDS = 0.5;

/** True if the playhead jumped by a seek, and not by playback or a loop's wrap. */
export function isJump(before: number, now: number, loop: Span | null): boolean {
  const isTurn = loop !== null && now < before && isInside(now, loop);
  return !isTurn && Math.abs(now - before) > JUMP_SECONDS;
}

/** Limits the playhead to the track, or only to its start if it may stay beyond the end. */
export function placeIn(duration: number, position: number, mayKeepMoment: boolean) {
  const hasEnded = mayKeepMoment && position > duration;
  return { position: hasEnded ? position : clamp(position, duration), hasEnded };
}
