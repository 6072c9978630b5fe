import { cymbal } from '../instruments/cymbals.js';
import { guitar } from '../instruments/guitar.js';
import { electricPiano } from '../instruments/keys.js';
import { kick } from '../instruments/kick.js';
import { pad } from '../instruments/pad.js';
import { snare } from '../instruments/snare.js';
import { synthBass } from '../instruments/bass.js';
import { voice } from '../instruments/voice.js';
import { newChartReader } from '../score/chart.js';
import { barSeconds, type Clock, layOut } from '../score/form.js';
import { bars, NoteWriter } from '../score/note-writer.js';
import type { MixName, Part, Song } from '../score/song.js';
import { lowTideMixes } from './low-tide.mixes.js';

/** Six quavers to the bar at 168 a minute: a slow 6/8, felt as two. */
const clock: Clock = { beatsPerBar: 6, beatSeconds: 60 / 168, swing: 0.5 };

const chart = newChartReader(
  {
    Dm9: 'D2: F3 A3 C4 E4',
    'Dm/C': 'C2: F3 A3 D4 E4',
    'Dm/F': 'F2: F3 A3 D4 E4',
    Dm7: 'D2: F3 A3 C4 F4',
    Bbmaj7: 'Bb1: F3 A3 D4 F4',
    Gm9: 'G1: F3 A3 Bb3 D4',
    A7sus: 'A1: E3 G3 D4 E4',
    A7: 'A1: E3 G3 C#4 E4',
    F: 'F2: F3 A3 C4 G4',
    'C/E': 'E2: E3 G3 C4 G4',
    C: 'C2: E3 G3 C4 D4',
  },
  clock.beatsPerBar,
);

const intro = chart('Dm9 | Bbmaj7 | Dm9 | Bbmaj7', 0);
const verse = chart('Dm9 | Dm/C | Bbmaj7 | Bbmaj7 | Gm9 | Dm/F | Bbmaj7 | A7sus A7', 4);
const lift = chart('Gm9 | C', 12);
const chorus = chart('F | C/E | Dm7 | Bbmaj7 | F | C/E | Gm9 | Bbmaj7 C', 14);
const middle = chart('Bbmaj7 | C | Dm9 | Dm/C', 22);
const lastChorus = chart('F | C/E | Dm7 | Bbmaj7', 26);
const ending = chart('Gm9 | Dm9', 30);

const verseTune = `-/1 D4/1 E4/1 F4/3 | E4/2 D4/1 C4/1 D4/2 | -/1 D4/1 F4/1 A4/2 G4/1 | F4/4 -/2
  -/1 G4/1 A4/1 Bb4/2 A4/1 | A4/2 F4/1 D4/3 | -/1 D4/1 E4/1 F4/2 G4/1 | E4/3 C#4/2 -/1`;
const liftTune = '-/1 D4/1 G4/1 A4/1 Bb4/2 | C5/2 Bb4/1 G4/2 A4/1';
const chorusTune = `C5/3 A4/2 G4/1 | G4/2 E4/1 G4/2 A4/1 | F4/1 A4/1 C5/1 D5/3 | D5/2 C5/1 A4/3
  C5/3 A4/2 G4/1 | G4/2 C5/1 D5/2 C5/1 | Bb4/2 A4/1 G4/2 F4/1 | F4/3 G4/2 -/1`;
const lastTune = 'C5/3 A4/2 G4/1 | G4/2 E4/1 G4/1 C5/1 D5/1 | F5/3 E5/2 D5/1 | D5/2 C5/1 A4/3 | Bb4/2 A4/1 G4/2 E4/1 | F4/1 E4/1 D4/6';
const lastHarmony = 'A4/3 F4/2 E4/1 | E4/2 C4/1 E4/1 G4/1 G4/1 | A4/3 C5/2 A4/1 | Bb4/2 A4/1 F4/3';

const drums = (mix: MixName): Part[] => {
  const [kicks, snares, sticks, hats, cymbals, toms] = [31, 32, 33, 34, 35, 36].map((seed) => new NoteWriter(clock, { seed, loose: 0.007 }));
  if (!kicks || !snares || !sticks || !hats || !cymbals || !toms) return [];
  kicks.hits(bars(4, 12), 'X.........o.');
  kicks.hits(bars(12, 14), 'x..o..');
  kicks.hits([...bars(14, 21), ...bars(26, 30)], 'X...o...x..o');
  kicks.hits([21], 'X...o.x...X.');
  kicks.hits([30, 31], 'x.....');
  sticks.hits([...bars(4, 11), ...bars(24, 25)], '...x..');
  snares.hits([11], '......x.o.xx');
  snares.hits([...bars(14, 21), ...bars(26, 30)], '..o...X...o.');
  snares.hits([21], '......X.xoxX');
  hats.hits(bars(2, 4), 'o..o..');
  hats.hits(bars(4, 14), 'xooxoo');
  hats.hits([...bars(14, 22), ...bars(26, 30)], 'XoxXox');
  hats.hits(bars(24, 26), 'o..o.o');
  cymbals.hits([14, 26], 'X.....');
  cymbals.hits([18, 22, 31], 'x.....');
  if (mix !== '1.0') {
    toms.hits([13], '......xx....', 64);
    toms.hits([13], '........xX..', 60);
    toms.hits([13, 25], '..........XX', 55);
  }
  return [
    { name: 'kick', instrument: kick({ tune: 49, sweep: 130, decay: 0.16, click: 0.16, drive: 0.2 }), notes: kicks.notes },
    { name: 'snare', instrument: snare({ tone: 176, colour: 2300, ring: 0.07, wires: 0.11, body: 0.42 }), notes: snares.notes },
    { name: 'snare', instrument: snare({ tone: 640, colour: 3000, ring: 0.018, wires: 0.012, body: 0.75 }), notes: sticks.notes },
    { name: 'hats', instrument: cymbal({ decay: 0.045, cut: 7200, metal: 0.35, ping: 0.4 }), notes: hats.notes },
    { name: 'cymbals', instrument: cymbal({ decay: 0.75, cut: 4300, metal: 0.4, ping: 0.8 }), notes: cymbals.notes },
    { name: 'toms', instrument: snare({ tone: 112, colour: 900, ring: 0.17, wires: 0.03, body: 0.9 }), notes: toms.notes },
  ];
};

const band = (mix: MixName): Part[] => {
  const bass = new NoteWriter(clock, { seed: 41, loose: 0.006 });
  bass.walk(verse, 'r/5 5/1', 0.74);
  bass.walk(lift, 'r/3 r/2 8/1', 0.8);
  bass.walk(chorus, 'r/2 r/1 5/2 8/1', 0.88);
  bass.walk(middle, 'r/6', 0.66);
  bass.walk(lastChorus, 'r/2 r/1 5/2 8/1', 0.92);
  bass.walk(ending, 'r/6', 0.7);
  const strings = new NoteWriter(clock, { seed: 42, loose: 0.01 });
  strings.hold([...lift, ...chorus], 0.62);
  strings.hold([...(mix === '1.0' ? [] : verse), ...middle], 0.4);
  strings.hold([...lastChorus, ...ending.slice(0, 1)], 0.7);
  strings.hold(ending.slice(1), 0.6, 1.9);
  const keys = new NoteWriter(clock, { seed: 43, loose: 0.009, touch: 0.14 });
  keys.comp(chorus, { rhythm: 'x....o', length: 4, velocity: 0.62, spread: 0.011 });
  keys.comp([...lastChorus, ...ending], { rhythm: 'x..o..', length: 3, velocity: 0.66, spread: 0.014 });
  return [
    { name: 'bass', instrument: synthBass({ cutoff: 240, open: 620, pluck: 0.16, edge: 0.2, sub: 0.5, resonance: 0.8 }), notes: bass.notes },
    {
      name: 'pad',
      instrument: pad({ cutoff: 1500, sway: 260, spread: 9, shape: { attack: 0.5, decay: 1, sustain: 0.9, release: 0.3 } }),
      notes: strings.notes,
    },
    { name: 'keys', instrument: electricPiano({ ring: 1.5, bark: 0.55, tine: 0.7, tremolo: 3.4 }), notes: keys.notes },
    { name: 'guitar', instrument: guitar({ ring: 1.6, bright: 0.55, body: 0.3 }), notes: fingers(mix) },
  ];
};

/** Fingerpicking throughout; from the second version on it answers the singer in her pauses. */
const fingers = (mix: MixName): Part['notes'] => {
  const picking = new NoteWriter(clock, { seed: 44, loose: 0.011, touch: 0.16, pan: -0.35 });
  picking.pick([...intro, ...verse, ...lift], 'b12321', 0.62, 4);
  picking.pick([...chorus, ...lastChorus], 'b13231', 0.5, 3);
  picking.pick(middle, 'b12341', 0.66, 5);
  picking.pick(ending, 'b12343', 0.6, 6);
  const answers = new NoteWriter(clock, { seed: 45, loose: 0.01, pan: 0.45 });
  answers.line(22, '-/3 F5/1 E5/1 C5/1 | D5/3 C5/1 G4/2 | A4/2 C5/1 F5/3 | E5/2 D5/1 C5/2 A4/1', 0.74);
  if (mix !== '1.0') answers.line(7, '-/3 C5/1 D5/1 F5/1', 0.66);
  if (mix !== '1.0') answers.line(29, '-/3 D5/1 F5/1 A5/1 | G5/6', 0.7);
  return [...picking.notes, ...answers.notes, ...lastStrum.notes];
};

const lastStrum = new NoteWriter(clock, { seed: 46, loose: 0 });
lastStrum.comp(chart('Dm9', 31), { rhythm: 'x.....', length: 15, velocity: 0.6, spread: 0.05 });

/** The doubles drag behind the beat until the last version, in which they are sung again. */
const singers = (mix: MixName): Part[] => {
  const lead = new NoteWriter(clock, { seed: 51, loose: 0.012 });
  lead.line(4, verseTune, 0.7);
  lead.line(12, liftTune, 0.8);
  lead.line(14, chorusTune, 0.95);
  lead.line(26, lastTune, 0.97);
  const late = mix === '2.0' ? 0.012 : 0.068;
  const [first, second] = [-0.8, 0.8].map((pan, index) => new NoteWriter(clock, { seed: 52 + index, loose: 0.02, late: late + index * 0.011, pan }));
  first?.line(14, chorusTune, 0.7);
  second?.line(14, chorusTune, 0.66);
  first?.line(26, lastHarmony, 0.76);
  second?.line(26, lastHarmony, 0.72);
  const hiss = mix === '1.1' ? 0.5 : 0.22;
  return [
    { name: 'lead', instrument: voice({ breath: 0.035, hiss, vibrato: 0.8, cents: 0, soft: false }), notes: lead.notes },
    { name: 'doubles', instrument: voice({ breath: 0.06, hiss: 0.1, vibrato: 0.5, cents: 7, soft: true }), notes: first?.notes ?? [] },
    { name: 'doubles', instrument: voice({ breath: 0.06, hiss: 0.1, vibrato: 0.6, cents: -8, soft: true }), notes: second?.notes ?? [] },
  ];
};

const at = (bar: number) => barSeconds(clock, bar);

export const lowTide: Song = {
  title: 'Low Tide',
  key: 'D minor',
  tempo: 56,
  duration: at(32) + 3.6,
  sections: layOut(clock, [
    ['Intro', 4],
    ['Verse', 8],
    ['Lift', 2],
    ['Chorus', 8],
    ['Break', 4],
    ['Last chorus', 4],
    ['Ending', 2],
  ]),
  moments: [
    { start: at(12), end: at(14), category: 'arrangement', text: 'Longer lift before the chorus' },
    { start: at(14), end: at(22), category: 'performance', text: 'Doubles drag behind the beat' },
    { start: at(16), end: at(18), category: 'mix', text: 'Sibilance' },
    { start: at(18), end: at(22), category: 'mix', text: 'Bass masks the kick' },
    { start: at(7), end: at(8), category: 'arrangement', text: 'Guitar answers the vocal' },
    { start: at(30), end: at(32), category: 'general', text: 'Let the last chord ring' },
    { start: at(5), end: at(7), category: 'performance', text: 'First line, a hand closer' },
    { start: at(13), end: at(15), category: 'mix', text: 'Bass and kick shake hands' },
    { start: at(22), end: at(25), category: 'style', text: 'Break: tape or glass?' },
    { start: at(26), end: at(29), category: 'arrangement', text: 'Harmony answers, then joins' },
  ],
  parts: (mix) => [...drums(mix), ...band(mix), ...singers(mix)],
  mixes: lowTideMixes,
  summaries: {
    '1.0': 'Demo, all of it dry, straight from the desk',
    '1.1': 'More bass, a room, guitar answers in the gaps',
    '2.0': 'Vocal up, less room, loud master',
  },
};
