import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';

/** Seconds. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

const SHORTEST = LIMITS.shortestRegionSeconds;
const lengthOf = ({ start, end }: Bounds) => end - start;
const rounded = (start: number, end: number): Bounds => ({ start: toMillis(start), end: toMillis(end) });
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** The bounds, or null if they leave the track or are too short. */
function fitting(start: number, end: number, duration: number): Bounds | null {
  const isInside = start >= -0.0005 && end <= duration + 0.0005;
  return isInside && end - start >= SHORTEST ? rounded(Math.max(0, start), Math.min(end, duration)) : null;
}

/** Moves by its own length to the left (-1) or right (1); null if that would leave the track. */
export const shifted = (bounds: Bounds, direction: -1 | 1, duration: number): Bounds | null =>
  fitting(bounds.start + direction * lengthOf(bounds), bounds.end + direction * lengthOf(bounds), duration);

/** Doubles the length, keeping the start; null if that would leave the track. */
export const doubled = (bounds: Bounds, duration: number): Bounds | null => fitting(bounds.start, bounds.end + lengthOf(bounds), duration);

/** Halves the length, keeping the start; null if that would be too short. */
export const halved = (bounds: Bounds, duration: number): Bounds | null => fitting(bounds.start, bounds.end - lengthOf(bounds) / 2, duration);

/** Moves within the track, keeping the length. */
export function moved(bounds: Bounds, by: number, duration: number): Bounds {
  const start = clamp(bounds.start + by, 0, Math.max(0, duration - lengthOf(bounds)));
  return rounded(start, start + lengthOf(bounds));
}

/** Moves one edge, within the track and not past the other edge. */
export const resized = (bounds: Bounds, edge: 'start' | 'end', to: number, duration: number): Bounds =>
  edge === 'start'
    ? rounded(clamp(to, 0, bounds.end - SHORTEST), bounds.end)
    : rounded(bounds.start, clamp(to, bounds.start + SHORTEST, Math.max(duration, bounds.end)));

/** Bounds of a new region between two times, within the track; null if they are too close together. */
export const between = (one: number, other: number, duration: number): Bounds | null =>
  fitting(Math.max(0, Math.min(one, other)), Math.min(duration, Math.max(one, other)), duration);

/** Bounds of a new region that starts or ends at the playhead; null without room. */
export function newAt(edge: 'start' | 'end', at: number, duration: number, length = 4): Bounds | null {
  const start = edge === 'start' ? at : Math.max(0, at - length);
  const end = edge === 'start' ? Math.min(duration, at + length) : at;
  return fitting(start, end, duration);
}
