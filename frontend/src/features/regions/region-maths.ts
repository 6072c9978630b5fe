import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';

/** Seconds. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

const SHORTEST = LIMITS.shortestRegionSeconds;
const lengthOf = ({ start, end }: Bounds) => end - start;
const kept = (start: number, end: number): Bounds => ({ start: toMillis(start), end: toMillis(end) });
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** Bounds that lie in the track and are long enough, else null: then the wish is ignored. */
function fitting(start: number, end: number, duration: number): Bounds | null {
  const isInside = start >= -0.0005 && end <= duration + 0.0005;
  return isInside && end - start >= SHORTEST ? kept(Math.max(0, start), Math.min(end, duration)) : null;
}

/** As long again to the left (-1) or to the right (1); null when that would leave the track. */
export const shifted = (bounds: Bounds, direction: -1 | 1, duration: number): Bounds | null =>
  fitting(bounds.start + direction * lengthOf(bounds), bounds.end + direction * lengthOf(bounds), duration);

/** Twice as long from the same start; null when that would leave the track. */
export const doubled = (bounds: Bounds, duration: number): Bounds | null => fitting(bounds.start, bounds.end + lengthOf(bounds), duration);

/** Half as long from the same start; null when that would be too short. */
export const halved = (bounds: Bounds, duration: number): Bounds | null => fitting(bounds.start, bounds.end - lengthOf(bounds) / 2, duration);

/** Moved as far as the track lets it, as long as before. */
export function moved(bounds: Bounds, by: number, duration: number): Bounds {
  const start = clamp(bounds.start + by, 0, Math.max(0, duration - lengthOf(bounds)));
  return kept(start, start + lengthOf(bounds));
}

/** One edge at another place: within the track and never past the other edge. */
export const resized = (bounds: Bounds, edge: 'start' | 'end', to: number, duration: number): Bounds =>
  edge === 'start'
    ? kept(clamp(to, 0, bounds.end - SHORTEST), bounds.end)
    : kept(bounds.start, clamp(to, bounds.start + SHORTEST, Math.max(duration, bounds.end)));

/** A new region that begins or ends at the playhead, as long as there is room. */
export function newAt(edge: 'start' | 'end', at: number, duration: number, length = 4): Bounds | null {
  const start = edge === 'start' ? at : Math.max(0, at - length);
  const end = edge === 'start' ? Math.min(duration, at + length) : at;
  return fitting(start, end, duration);
}
