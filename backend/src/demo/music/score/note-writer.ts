import { seeded } from '../dsp/random.js';
import { type ChartChord, chordAt } from './chart.js';
import { type Clock, secondsAt } from './form.js';
import { hitsOf, pitchOf, tokensOf } from './notation.js';
import type { Note } from './song.js';

/** How a part is played: loose is timing scatter in seconds, late is the delay behind the beat in seconds, touch is velocity scatter. */
export type Feel = { seed: number; loose: number; late?: number; touch?: number; pan?: number };

/** A rhythm over chords: one character per step, lengths in beats, spread in seconds from string to string. */
export type Comping = { rhythm: string; length: number; velocity: number; spread?: number };

type Written = { beat: number; length: number; pitch: number; velocity: number; pan?: number };

/** Writes the notes of one part. Bars and beats count from 0; a bar may be fractional. */
export class NoteWriter {
  readonly notes: Note[] = [];
  private readonly random: () => number;

  constructor(
    private readonly clock: Clock,
    private readonly feel: Feel,
  ) {
    this.random = seeded(feel.seed);
  }

  write({ beat, length, pitch, velocity, pan }: Written): void {
    const { loose, late = 0, touch = 0.08, pan: seat = 0 } = this.feel;
    const scatter = (this.random() + this.random() - 1) * loose;
    const at = Math.max(0, secondsAt(this.clock, beat) + late + scatter);
    const played = Math.min(1, velocity * (1 + (this.random() * 2 - 1) * touch));
    this.notes.push({ at, length: length * this.clock.beatSeconds, pitch, velocity: played, pan: pan ?? seat });
  }

  /** A melody, 'A4/2 C5/1 | D5/3'; notes on the first beat of a bar are accented. */
  line(bar: number, text: string, velocity: number): void {
    const from = bar * this.clock.beatsPerBar;
    for (const { beat, length, name } of tokensOf(text)) {
      const leaned = beat % this.clock.beatsPerBar === 0 ? 1 : 0.9;
      this.write({ beat: from + beat, length: length * 0.97, pitch: pitchOf(name), velocity: velocity * leaned });
    }
  }

  /** The same rhythm in each of the bars, spread evenly over the bar. */
  hits(bars: readonly number[], rhythm: string, pitch = 60): void {
    const velocities = hitsOf(rhythm);
    const step = this.clock.beatsPerBar / velocities.length;
    for (const bar of bars)
      for (const [index, velocity] of velocities.entries())
        if (velocity > 0) this.write({ beat: bar * this.clock.beatsPerBar + index * step, length: step, pitch, velocity });
  }

  /** Long chords, held almost until the next. */
  hold(chart: readonly ChartChord[], velocity: number, length = 1): void {
    for (const chord of chart)
      for (const [index, pitch] of chord.notes.entries())
        this.write({ beat: chord.beat, length: chord.length * length, pitch, velocity, pan: index / 2 - 0.75 });
  }

  /** Chords in a rhythm, strummed from the lowest note up. */
  comp(chart: readonly ChartChord[], { rhythm, length, velocity, spread = 0.004 }: Comping): void {
    this.overSteps(chart, rhythm, (chord, beat, stroke) => {
      for (const [string, pitch] of chord.notes.entries())
        this.write({ beat: beat + (string * spread) / this.clock.beatSeconds, length, pitch, velocity: velocity * stroke });
    });
  }

  /** Chord notes one after another: digits pick from the voicing, 'b' is the bass an octave up, '.' rests. */
  pick(chart: readonly ChartChord[], figure: string, velocity: number, ring = 1): void {
    const step = this.clock.beatsPerBar / figure.length;
    this.overSteps(chart, 'X'.repeat(figure.length), (chord, beat) => {
      const index = Math.round((beat % this.clock.beatsPerBar) / step) % figure.length;
      const sign = figure[index] ?? '.';
      if (sign === '.') return;
      const place = Number(sign);
      const { length } = chord.notes;
      const pitch = sign === 'b' ? chord.bass + 12 : (chord.notes[place % length] ?? chord.bass) + 12 * Math.floor(place / length);
      this.write({ beat, length: step * ring, pitch, velocity: velocity * (index === 0 ? 1 : 0.86) });
    });
  }

  /** A bass figure per chord: r root, 5 fifth, 8 octave, c a chord tone, n a step towards the next root. */
  walk(chart: readonly ChartChord[], figure: string, velocity: number): void {
    for (const [index, chord] of chart.entries()) {
      const next = chart[index + 1]?.bass ?? chord.bass;
      for (const { beat, length, name } of tokensOf(figure)) {
        if (beat >= chord.length) break;
        const last = beat + length >= chord.length;
        const sign = last && name === 'r' && beat > 0 ? 'n' : name;
        const leaned = beat === 0 ? 1 : 0.84;
        const held = Math.min(length, chord.length - beat) * 0.94;
        this.write({ beat: chord.beat + beat, length: held, pitch: bassNote(chord, sign, next), velocity: velocity * leaned });
      }
    }
  }

  private overSteps(chart: readonly ChartChord[], rhythm: string, play: (chord: ChartChord, beat: number, stroke: number) => void): void {
    const first = chart[0];
    const last = chart.at(-1);
    if (!first || !last) return;
    const strokes = hitsOf(rhythm);
    const step = this.clock.beatsPerBar / strokes.length;
    const count = Math.round((last.beat + last.length - first.beat) / step);
    for (let index = 0; index < count; index++) {
      const stroke = strokes[index % strokes.length] ?? 0;
      const beat = first.beat + index * step;
      const chord = chordAt(chart, beat);
      if (chord && stroke > 0) play(chord, beat, stroke);
    }
  }
}

const bassNote = (chord: ChartChord, sign: string, next: number): number => {
  if (sign === '8') return chord.bass + 12;
  if (sign === '5') return chord.bass <= 38 ? chord.bass + 7 : chord.bass - 5;
  if (sign === 'n') return next >= chord.bass ? next - 1 : next + 1;
  if (sign !== 'c') return chord.bass;
  const tone = (chord.notes[0] ?? chord.bass) % 12;
  return chord.bass + ((((tone - chord.bass) % 12) + 12) % 12);
};

/** Bars from one up to, but not including, another. */
export const bars = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
