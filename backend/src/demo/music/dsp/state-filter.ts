import { SAMPLE_RATE } from './pcm.js';

const { PI, min, tan } = Math;

/** Keeps a decaying filter out of denormal numbers, which processors handle slowly. */
const NEVER_ZERO = 1e-18;

/** Low, band and high pass at once, stable under cutoff modulation (Simper, "Linear trapezoidal SVF", 2013). */
export class StateFilter {
  low = 0;
  band = 0;
  high = 0;
  private first = 0;
  private second = 0;
  private damping = 1;
  private a1 = 1;
  private a2 = 0;
  private a3 = 0;

  /** Sets the cutoff in hertz and the resonance (0.7 is flat). */
  tune(hertz: number, resonance: number): this {
    const g = tan((PI * min(hertz, 19_000)) / SAMPLE_RATE);
    this.damping = 1 / resonance;
    this.a1 = 1 / (1 + g * (g + this.damping));
    this.a2 = g * this.a1;
    this.a3 = g * this.a2;
    return this;
  }

  step(input: number): void {
    const rest = input + NEVER_ZERO - this.second;
    const band = this.a1 * this.first + this.a2 * rest;
    const low = this.second + this.a2 * this.first + this.a3 * rest;
    this.first = 2 * band - this.first;
    this.second = 2 * low - this.second;
    this.low = low;
    this.band = band;
    this.high = input - this.damping * band - low;
  }
}
