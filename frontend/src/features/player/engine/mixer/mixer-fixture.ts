import type { MixerCommand, MixerReport } from '../mixer-messages';
import { Mixer } from './mixer';

const QUANTUM = 128;

export interface Recording {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** A mixer that runs faster than real time, with its input and its reports. */
export class Desk {
  readonly reports: MixerReport[] = [];
  readonly mixer: Mixer;
  /** What the media element plays into the mixer, from its first frame. */
  stream: Float32Array | null = null;
  frame = 0;

  constructor(readonly sampleRate = 48_000) {
    this.mixer = new Mixer(sampleRate, (report) => this.reports.push(report));
  }

  get now(): number {
    return this.frame / this.sampleRate;
  }

  send(...commands: readonly MixerCommand[]): void {
    for (const command of commands) this.mixer.handle(command);
  }

  add(trackId: string, ...channels: readonly Float32Array[]): void {
    this.send({ type: 'addTrack', trackId, channels, gain: 1 });
  }

  /** Renders at least this many frames, in whole quanta. */
  record(frames: number): Recording {
    const quanta = Math.ceil(frames / QUANTUM);
    const left = new Float32Array(quanta * QUANTUM);
    const right = new Float32Array(quanta * QUANTUM);
    for (let at = 0; at < left.length; at += QUANTUM) {
      const input = this.stream ? [this.stream.subarray(this.frame, this.frame + QUANTUM)] : [];
      this.mixer.process(input, left.subarray(at, at + QUANTUM), right.subarray(at, at + QUANTUM), this.now);
      this.frame += QUANTUM;
    }
    return { left, right };
  }

  seconds(seconds: number): Recording {
    return this.record(Math.round(seconds * this.sampleRate));
  }

  last<Type extends MixerReport['type']>(type: Type): Extract<MixerReport, { type: Type }> | undefined {
    return this.reports.filter((report): report is Extract<MixerReport, { type: Type }> => report.type === type).at(-1);
  }
}

/** Frames of a function of time. */
export function signal(frames: number, sampleAt: (frame: number) => number): Float32Array {
  const samples = new Float32Array(frames);
  for (let at = 0; at < frames; at++) samples[at] = sampleAt(at);
  return samples;
}

// Looking up Math in a spec's own globals takes longer than the sine.
const { sin, PI } = Math;

export const sine = (frames: number, hertz: number, { sampleRate = 48_000, amplitude = 0.5, phase = 0 } = {}): Float32Array =>
  signal(frames, (frame) => amplitude * sin((2 * PI * hertz * frame) / sampleRate + phase));

/** Repeatable white noise between -amplitude and amplitude (a linear congruential generator). */
export function noise(frames: number, seed: number, amplitude = 0.5): Float32Array {
  let state = seed;
  const { imul } = Math;
  return signal(frames, () => {
    state = (imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return amplitude * (state / 2 ** 31 - 1);
  });
}

/** The largest difference of neighbouring samples. */
export function largestJump(samples: Float32Array): number {
  let jump = 0;
  for (let at = 1; at < samples.length; at++) {
    const step = (samples[at] ?? 0) - (samples[at - 1] ?? 0);
    if (step > jump) jump = step;
    else if (-step > jump) jump = -step;
  }
  return jump;
}

export const rms = (samples: Float32Array): number => Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

export const decibels = (ratio: number): number => 20 * Math.log10(ratio);
