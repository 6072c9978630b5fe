import { pitchOf } from './notation.js';

/** A chord at its position: beats from the start of the song, pitches as MIDI numbers. */
export type ChartChord = { beat: number; length: number; bass: number; notes: readonly number[] };

/** Chord names with their voicings, written 'bass: from low to high'. */
export type Voicings = Readonly<Record<string, string>>;

const readVoicing = (name: string, voicings: Voicings): Pick<ChartChord, 'bass' | 'notes'> => {
  const [bass, notes] = (voicings[name] ?? '').split(':');
  if (!bass || !notes) throw new RangeError(`No voicing for ${name}`);
  return { bass: pitchOf(bass.trim()), notes: notes.trim().split(/\s+/).map(pitchOf) };
};

export const newChartReader =
  (voicings: Voicings, beatsPerBar: number) =>
  /** Reads 'Dm9 | A7sus A7' from a bar onward; the chords of a bar share it evenly. */
  (text: string, firstBar: number): ChartChord[] =>
    text.split('|').flatMap((bar, index) => {
      const names = bar.trim().split(/\s+/);
      const length = beatsPerBar / names.length;
      return names.map((name, place) => ({
        beat: (firstBar + index) * beatsPerBar + place * length,
        length,
        ...readVoicing(name, voicings),
      }));
    });

export const chordAt = (chart: readonly ChartChord[], beat: number): ChartChord | undefined =>
  chart.find((chord) => beat >= chord.beat - 0.001 && beat < chord.beat + chord.length - 0.001);
