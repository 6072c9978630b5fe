import { crossfadeNorm } from './crossfade';
import type { StreamVoice } from './stream';
import type { Voice } from './voice';

/** A voice with its gain, which ramps to the track's gain so that changes do not click. */
export interface Part {
  readonly trackId: string;
  readonly voice: Voice | StreamVoice;
  gain: number;
}

export interface Crossfade {
  readonly frames: number;
  /** Correlation of the two parts, -0.5 to 1. */
  readonly rho: number;
}

const GAIN_RAMP_SECONDS = 0.02;

/** Mixes the current part and, during a crossfade, the previous one. */
export class Blend {
  current: Part | null = null;
  private previous: Part | null = null;
  private crossfade: Crossfade = { frames: 0, rho: 1 };
  private done = 0;
  private left = new Float32Array();
  private right = new Float32Array();
  private readonly gainStep: number;

  constructor(
    sampleRate: number,
    private readonly gainOf: (trackId: string) => number,
  ) {
    this.gainStep = 1 / (GAIN_RAMP_SECONDS * sampleRate);
  }

  get isMoving(): boolean {
    return this.done < this.crossfade.frames;
  }

  change(to: Part | null, crossfade: Crossfade): void {
    this.previous = this.current;
    this.current = to;
    // A fade from or to silence is linear.
    this.crossfade = this.previous && to ? crossfade : { ...crossfade, rho: 1 };
    this.done = 0;
  }

  /** Writes one quantum. `measure` gets the current part before its gain. */
  write(left: Float32Array, right: Float32Array, measure: ((left: Float32Array, right: Float32Array) => void) | null): void {
    left.fill(0);
    right.fill(0);
    if (this.left.length !== left.length) {
      this.left = new Float32Array(left.length);
      this.right = new Float32Array(left.length);
    }
    if (this.current) {
      this.current.voice.write(this.left, this.right, left.length);
      measure?.(this.left, this.right);
      this.add(this.current, left, right);
    }
    if (!this.isMoving) return;
    if (this.previous) {
      this.previous.voice.write(this.left, this.right, left.length);
      this.add(this.previous, left, right);
    }
    this.done += left.length;
    if (!this.isMoving) this.previous = null;
  }

  private add(part: Part, left: Float32Array, right: Float32Array): void {
    const target = this.gainOf(part.trackId);
    if (this.isMoving) this.addMoving(part, target, left, right);
    else
      for (let at = 0; at < left.length; at++) {
        if (part.gain !== target) part.gain = this.towards(part.gain, target);
        left[at] = (left[at] ?? 0) + part.gain * (this.left[at] ?? 0);
        right[at] = (right[at] ?? 0) + part.gain * (this.right[at] ?? 0);
      }
  }

  private addMoving(part: Part, target: number, left: Float32Array, right: Float32Array): void {
    const { frames, rho } = this.crossfade;
    for (let at = 0; at < left.length; at++) {
      part.gain = this.towards(part.gain, target);
      const t = Math.min(1, (this.done + at + 1) / (frames + 1));
      const gain = (part.gain * (part === this.current ? t : 1 - t)) / crossfadeNorm(t, rho);
      left[at] = (left[at] ?? 0) + gain * (this.left[at] ?? 0);
      right[at] = (right[at] ?? 0) + gain * (this.right[at] ?? 0);
    }
  }

  private towards(gain: number, target: number): number {
    return gain + Math.min(this.gainStep, Math.max(-this.gainStep, target - gain));
  }
}
