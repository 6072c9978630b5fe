import type { StereoPcm } from '../dsp/pcm.js';

/** One note: times in seconds, pitch as a MIDI number (60 is middle C), velocity and pan from 0 to 1 and -1 to 1. */
export type Note = { at: number; length: number; pitch: number; velocity: number; pan: number };

/** Adds the sound of a note to a track. */
export type Instrument = (track: StereoPcm, note: Note) => void;

export type PartName = 'kick' | 'snare' | 'hats' | 'cymbals' | 'toms' | 'shaker' | 'bass' | 'pad' | 'keys' | 'guitar' | 'arp' | 'lead' | 'doubles' | 'rise';

export type Part = { name: PartName; instrument: Instrument; notes: readonly Note[] };

/** The versions of a song: a dry demo, one with more bass and room, a loud master. Every demo song has all three. */
export const mixNames = ['1.0', '1.1', '2.0'] as const;
export type MixName = (typeof mixNames)[number];

/** A mixer channel. Level in decibels, pan -1 to 1, sends and duck 0 to 1. */
export type Strip = { level: number; pan?: number; room?: number; echo?: number; duck?: number };

/** Room decay in seconds, damping 0 to 1, echo time in seconds; master loudness in LUFS, shelves in decibels, squeeze as a ratio. */
export type Mix = {
  strips: Partial<Record<PartName, Strip>>;
  room: { decay: number; damping: number; level: number };
  echo: { seconds: number; feedback: number; level: number };
  master: { loudness: number; lowShelf: number; highShelf: number; drive: number; squeeze: number; width: number };
};

/** A section of the song in seconds. */
export type Section = { name: string; start: number; end: number };

/** A moment worth a comment, audible in the rendered song. The category is one of the region tags. */
export type Moment = { start: number; end: number; category: 'performance' | 'mix' | 'style' | 'arrangement' | 'general'; text: string };

export type Song = {
  title: string;
  key: string;
  /** The tempo a musician would tap, in beats per minute. */
  tempo: number;
  /** In seconds, including the last note's release. */
  duration: number;
  sections: readonly Section[];
  moments: readonly Moment[];
  parts: (mix: MixName) => readonly Part[];
  mixes: Readonly<Partial<Record<MixName, Mix>>>;
  /** The version summary by its uploader, for each of its mixes. */
  summaries: Readonly<Partial<Record<MixName, string>>>;
};
