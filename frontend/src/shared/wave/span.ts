/** A part of a track, in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
