import type { TrackAudio } from './track-audio';

/**
 * Divides both gains of a linear crossfade, so that the power of two signals of equal level stays constant at their correlation `rho`:
 * (1-t)^2 + t^2 + 2 rho t (1-t). It is 1 for equal signals (equal gain) and sqrt(1/2) in the middle for independent ones (equal power).
 */
export const crossfadeNorm = (t: number, rho: number): number => Math.sqrt((1 - t) ** 2 + t ** 2 + 2 * rho * t * (1 - t));

export interface Excerpt {
  readonly audio: TrackAudio;
  readonly from: number;
}

/** Correlation of two excerpts of `count` frames, at least -0.5, so that no gain of a crossfade exceeds 1.16. That of silence is 0. */
export function correlation(a: Excerpt, b: Excerpt, count: number): number {
  let both = 0;
  let ofA = 0;
  let ofB = 0;
  for (let at = 0; at < count; at++) {
    const leftA = a.audio.left[a.from + at] ?? 0;
    const leftB = b.audio.left[b.from + at] ?? 0;
    const rightA = a.audio.right[a.from + at] ?? 0;
    const rightB = b.audio.right[b.from + at] ?? 0;
    both += leftA * leftB + rightA * rightB;
    ofA += leftA * leftA + rightA * rightA;
    ofB += leftB * leftB + rightB * rightB;
  }
  const power = Math.sqrt(ofA * ofB);
  return power > 0 ? Math.min(1, Math.max(-0.5, both / power)) : 0;
}
