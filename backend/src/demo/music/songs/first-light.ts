import { synthBass } from '../instruments/bass.js';
import { cymbal } from '../instruments/cymbals.js';
import { guitar } from '../instruments/guitar.js';
import { electricPiano } from '../instruments/keys.js';
import { kick } from '../instruments/kick.js';
import { snare } from '../instruments/snare.js';
import { voice } from '../instruments/voice.js';
import { newChartReader } from '../score/chart.js';
import { barSeconds, type Clock, layOut } from '../score/form.js';
import { bars, NoteWriter } from '../score/note-writer.js';
import type { Part, Song } from '../score/song.js';
import { firstLightMixes } from './first-light.mixes.js';

/** Four crotchets at 100 per minute, straight. */
const clock: Clock = { beatsPerBar: 4, beatSeconds: 60 / 100, swing: 0.5 };

const chart = newChartReader(
  {
    G: 'G1: G3 B3 D4 A4',
    Em7: 'E1: G3 B3 D4 E4',
    Cadd9: 'C2: G3 C4 D4 E4',
    D: 'D2: F#3 A3 D4 E4',
    'D/F#': 'F#1: A3 D4 E4 F#4',
  },
  clock.beatsPerBar,
);

const intro = chart('G | Cadd9', 0);
const verse = chart('G | D/F# | Em7 | Cadd9 | G | D', 2);
const chorus = chart('Cadd9 | G | D | Em7 | Cadd9 | D', 8);
const ending = chart('Cadd9 | G', 14);

const verseTune = `-/1 B4/.5 D5/.5 D5/1 B4/1 | A4/2 F#4/1 A4/1 | -/1 G4/.5 A4/.5 B4/1 G4/1 | E4/3 -/1
  -/1 B4/.5 D5/.5 G5/1 D5/1 | F#5/1.5 E5/.5 D5/1 -/1`;
const chorusTune = `E5/1.5 D5/.5 C5/1 E5/1 | D5/2 B4/2 | F#5/1.5 E5/.5 D5/1 A4/1 | G5/2 E5/1 D5/1 | E5/1 D5/1 C5/1 D5/1 | A5/3 -/1`;

const drums = (): Part[] => {
  const [feet, sticks, hats, crash] = [101, 102, 103, 104].map((seed) => new NoteWriter(clock, { seed, loose: 0.006 }));
  if (!feet || !sticks || !hats || !crash) return [];
  feet.hits(bars(2, 8), 'X.....o.x.......');
  feet.hits(bars(8, 14), 'X.....x.X..o....');
  feet.hits([14], 'X...............');
  sticks.hits([...bars(2, 7), ...bars(8, 13)], '....X.......X..o');
  // The fill that one of the regions points at.
  sticks.hits([7, 13], '....X..oxoxxXxXX');
  hats.hits(bars(2, 8), 'x.o.x.o.x.o.x.o.');
  hats.hits(bars(8, 14), 'XoxoXoxoXoxoXoxo');
  crash.hits([8, 14], 'X...');
  return [
    { name: 'kick', instrument: kick({ tune: 52, sweep: 110, decay: 0.15, click: 0.14, drive: 0.15 }), notes: feet.notes },
    { name: 'snare', instrument: snare({ tone: 188, colour: 2600, ring: 0.06, wires: 0.12, body: 0.35 }), notes: sticks.notes },
    { name: 'hats', instrument: cymbal({ decay: 0.04, cut: 7000, metal: 0.4, ping: 0.3 }), notes: hats.notes },
    { name: 'cymbals', instrument: cymbal({ decay: 0.9, cut: 4200, metal: 0.4, ping: 0.7 }), notes: crash.notes },
  ];
};

const band = (): Part[] => {
  const bass = new NoteWriter(clock, { seed: 111, loose: 0.005 });
  bass.walk(verse, 'r/1.5 r/.5 c/1.5 c/.5', 0.82);
  bass.walk(chorus, 'r/.5 r/.5 r/.5 r/.5 5/1 8/1', 0.9);
  bass.walk(ending.slice(1), 'r/4', 0.8);
  const keys = new NoteWriter(clock, { seed: 112, loose: 0.008, pan: 0.3 });
  keys.comp([...intro, ...verse], { rhythm: 'x...o...', length: 1.8, velocity: 0.6, spread: 0.014 });
  keys.comp(chorus, { rhythm: 'X..x..x.', length: 1.2, velocity: 0.7 });
  keys.hold(ending, 0.62, 1.4);
  const picked = new NoteWriter(clock, { seed: 113, loose: 0.01, pan: -0.4 });
  picked.pick([...verse, ...chorus], 'b1232132', 0.6, 3);
  picked.pick(ending, 'b1232321', 0.55, 5);
  const lead = new NoteWriter(clock, { seed: 114, loose: 0.012, late: 0.01 });
  lead.line(2, verseTune, 0.78);
  lead.line(8, chorusTune, 0.95);
  return [
    { name: 'bass', instrument: synthBass({ cutoff: 260, open: 700, pluck: 0.18, edge: 0.25, sub: 0.5, resonance: 0.7 }), notes: bass.notes },
    { name: 'keys', instrument: electricPiano({ ring: 1.4, bark: 0.6, tine: 0.7, tremolo: 5.2 }), notes: keys.notes },
    { name: 'guitar', instrument: guitar({ ring: 1.3, bright: 0.6, body: 0.35 }), notes: picked.notes },
    { name: 'lead', instrument: voice({ breath: 0.04, hiss: 0.1, vibrato: 0.8, cents: 0, soft: false }), notes: lead.notes },
  ];
};

const at = (bar: number) => barSeconds(clock, bar);

/** The song of the tutorial project: short, with a rough mix and a better one. */
export const firstLight: Song = {
  title: 'First Light',
  key: 'G major',
  tempo: 100,
  duration: at(16) + 2.4,
  sections: layOut(clock, [
    ['Intro', 2],
    ['Verse', 6],
    ['Chorus', 6],
    ['Ending', 2],
  ]),
  moments: [
    { start: at(0), end: at(2), category: 'style', text: 'Tremolo on the piano' },
    { start: at(3), end: at(5), category: 'mix', text: 'Voice against bass' },
    { start: at(7), end: at(8), category: 'performance', text: 'Drum fill' },
    { start: at(8), end: at(12), category: 'general', text: 'Loop this bit' },
    { start: at(14), end: at(16), category: 'arrangement', text: 'Drums drop out' },
  ],
  parts: () => [...drums(), ...band()],
  mixes: firstLightMixes,
  summaries: { '1.0': 'Rough mix: all bass, singer next door', '1.1': 'Voice forward, bass on a diet, some air' },
};
