import { Envelope } from '../dsp/envelope.js';
import { advance, saw, sine } from '../dsp/oscillator.js';
import { addAt, fadePerSample, panGains, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseAt, noiseOffset } from '../dsp/random.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument, Note } from '../score/song.js';

const { max, min } = Math;

/** The first three formants of a vowel in hertz (Peterson and Barney, 1952, women's averages). */
type Vowel = readonly [first: number, second: number, third: number];
const ah: Vowel = [850, 1220, 2810];
const oh: Vowel = [590, 920, 2710];
const oo: Vowel = [370, 950, 2670];
const eh: Vowel = [610, 2330, 2990];
const vowels: readonly Vowel[] = [ah, oh, eh, oo, ah, oh];

/** Breath and hiss (an s before a hard stroke) from 0 to 1, vibrato, and detuning in cents. */
export type VoicePatch = { breath: number; hiss: number; vibrato: number; cents: number; soft: boolean };

/** A wordless singing voice: a buzz through three formants that move from vowel to vowel, with scooped pitch and delayed vibrato. */
export const voice =
  (patch: VoicePatch): Instrument =>
  (track, note) => {
    const start = toSamples(note.at);
    const envelope = new Envelope({ attack: 0.045, decay: 0.6, sustain: 0.78, release: 0.05 }, note.length);
    const end = Math.min(track.left.length, start + envelope.samples);
    const throat = new VocalTract(note, patch.soft);
    const noise = noiseOffset(note.at, note.pitch);
    const pitch = pitchToHertz(note.pitch + patch.cents / 100) / SAMPLE_RATE;
    const hissFilter = new StateFilter().tune(7200, 1.4);
    const hissFade = fadePerSample(0.03);
    const scoopFade = fadePerSample(0.035) ** 32;
    let hiss = note.velocity > 0.82 ? patch.hiss : patch.hiss * 0.2;
    let scoop = -0.05 * note.velocity;
    let [phase, step] = [0, pitch];
    const [leftGain, rightGain] = panGains(note.pan);
    for (let index = start; index < end; index++) {
      const since = index - start;
      if ((since & 31) === 0) {
        const seconds = since / SAMPLE_RATE;
        const depth = patch.vibrato * 0.011 * min(1, max(0, (seconds - 0.22) / 0.5));
        step = pitch * (1 + scoop + depth * sine(seconds * 5.4));
        scoop *= scoopFade;
        throat.move(seconds / note.length);
      }
      phase = advance(phase, step);
      const air = noiseAt(noise + since);
      const sung = throat.sing(saw(phase, step) + air * patch.breath) * envelope.next();
      hissFilter.step(air * hiss);
      hiss *= hissFade;
      const value = (sung * (0.45 + 0.55 * note.velocity) + hissFilter.band * 0.25) * 0.8;
      addAt(track.left, index, value * leftGain);
      addAt(track.right, index, value * rightGain);
    }
  };

class VocalTract {
  private readonly chest = new StateFilter();
  private readonly first = new StateFilter();
  private readonly second = new StateFilter();
  private readonly third = new StateFilter();
  private readonly from: Vowel;
  private readonly to: Vowel;
  private readonly fundamental: number;

  constructor(note: Note, soft: boolean) {
    const place = Math.round(note.at * 4 + note.pitch);
    this.from = soft ? oo : (vowels[place % vowels.length] ?? ah);
    this.to = soft ? oh : (vowels[(place * 5 + 1) % vowels.length] ?? oh);
    this.fundamental = pitchToHertz(note.pitch);
    this.chest.tune(this.fundamental * 1.5, 0.7);
  }

  /** Moves the formants; done goes from 0 to 1 over the note. A formant below the note's pitch is raised to it, as singers do. */
  move(done: number): void {
    const eased = min(1, max(0, done * 1.6 - 0.1));
    const mix = (index: 0 | 1 | 2) => this.from[index] + (this.to[index] - this.from[index]) * eased;
    this.first.tune(max(mix(0), this.fundamental * 1.05), 5);
    this.second.tune(max(mix(1), this.fundamental * 2), 8);
    this.third.tune(mix(2), 10);
  }

  sing(buzz: number): number {
    this.chest.step(buzz);
    this.first.step(buzz);
    this.second.step(buzz);
    this.third.step(buzz);
    return this.chest.low * 0.34 + this.first.band * 0.2 + this.second.band * 0.075 + this.third.band * 0.04;
  }
}
