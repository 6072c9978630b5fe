import { fadePerSample, toSamples } from './pcm.js';

/** Attack, decay and release in seconds, sustain from 0 to 1. */
export type EnvelopeShape = { attack: number; decay: number; sustain: number; release: number };

/** The loudness of one note over time: a linear attack, decay to the sustain level, and the release. */
export class Envelope {
  /** The note's length in samples, including its release. */
  readonly samples: number;
  private level = 0;
  private played = 0;
  private readonly attackStep: number;
  private readonly attackSamples: number;
  private readonly heldSamples: number;
  private readonly decayFade: number;
  private readonly releaseFade: number;

  constructor(
    private readonly shape: EnvelopeShape,
    seconds: number,
  ) {
    this.attackSamples = Math.max(1, toSamples(shape.attack));
    this.attackStep = 1 / this.attackSamples;
    this.heldSamples = toSamples(seconds);
    this.decayFade = 1 - fadePerSample(shape.decay);
    this.releaseFade = fadePerSample(shape.release);
    this.samples = this.heldSamples + toSamples(shape.release * 6);
  }

  next(): number {
    const now = this.played++;
    if (now >= this.heldSamples) this.level *= this.releaseFade;
    else if (now < this.attackSamples) this.level += this.attackStep;
    else this.level += (this.shape.sustain - this.level) * this.decayFade;
    return this.level;
  }
}
