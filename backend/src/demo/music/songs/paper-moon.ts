import { uprightBass } from '../instruments/bass.js';
import { cymbal } from '../instruments/cymbals.js';
import { guitar } from '../instruments/guitar.js';
import { electricPiano } from '../instruments/keys.js';
import { kick } from '../instruments/kick.js';
import { snare } from '../instruments/snare.js';
import { voice } from '../instruments/voice.js';
import { synth } from '../instruments/synth.js';
import { newChartReader } from '../score/chart.js';
import { barSeconds, type Clock, layOut } from '../score/form.js';
import { bars, NoteWriter } from '../score/note-writer.js';
import type { MixName, Part, Song } from '../score/song.js';
import { paperMoonMixes } from './paper-moon.mixes.js';

/** Four crotchets at 104 per minute, with swung quavers. */
const clock: Clock = { beatsPerBar: 4, beatSeconds: 60 / 104, swing: 0.64 };

const chart = newChartReader(
  {
    Ebmaj9: 'Eb2: G3 Bb3 D4 F4',
    Eb6: 'Eb2: G3 C4 D4 F4',
    Gm7: 'G2: F3 Bb3 D4 F4',
    C7b9: 'C2: E3 Bb3 Db4 G4',
    Fm9: 'F2: Ab3 C4 Eb4 G4',
    Bb13: 'Bb1: Ab3 C4 D4 G4',
    Bb7b9: 'Bb1: Ab3 B3 D4 G4',
    G7alt: 'G2: F3 B3 Eb4 Ab4',
    Cm9: 'C2: G3 Bb3 D4 Eb4',
    F13: 'F2: A3 C4 Eb4 D5',
    Abmaj9: 'Ab1: G3 Bb3 C4 Eb4',
    Abm6: 'Ab1: F3 Ab3 B3 Eb4',
    Eb9: 'Eb2: G3 Bb3 Db4 F4',
  },
  clock.beatsPerBar,
);

const intro = chart('Ebmaj9 | Cm9 | Fm9 | Bb13', 0);
const verse = chart('Ebmaj9 | Gm7 C7b9 | Fm9 | Bb13 | Ebmaj9 G7alt | Cm9 F13 | Fm9 Bb13 | Eb6 Eb9', 4);
const chorus = chart('Abmaj9 | Abm6 | Gm7 | C7b9 | Fm9 | Abm6 Bb7b9 | Ebmaj9 Cm9 | Fm9 Bb13', 12);
const stops = chart('Ebmaj9 | C7b9 | Fm9 | Bb13', 20);
const lastVerse = chart('Ebmaj9 G7alt | Cm9 F13 | Fm9 Bb13 | Gm7 C7b9', 24);
const ending = chart('Fm9 Bb13 | Eb6', 28);

const verseTune = `-/.5 Bb4/.5 C5/.5 D5/1 F5/1 Bb4/.5 | D5/.5 C5/.5 Bb4/1 -/.5 G4/.5 Bb4/.5 Db5/.5 | C5/1.5 Ab4/.5 -/1 Eb4/.5 G4/.5 | Ab4/.5 G4/.5 F4/.5 D4/1.5 -/1
  -/.5 Bb4/.5 D5/.5 F5/1 Eb5/.5 B4/1 | D5/1 Eb5/.5 D5/.5 C5/.5 A4/1 G4/.5 | Ab4/.5 C5/.5 Eb5/1 D5/.5 C5/.5 Ab4/1 | G4/2.5 -/1.5`;
const chorusTune = `G5/1.5 Eb5/.5 C5/1 Eb5/1 | F5/1.5 Eb5/.5 B4/2 | D5/1 F5/.5 D5/1 Bb4/.5 G4/1 | E4/.5 G4/.5 Bb4/.5 Db5/1.5 C5/1
  -/.5 Ab4/.5 C5/.5 Eb5/.5 G5/1 F5/1 | Eb5/.5 D5/.5 B4/1 Ab4/.5 B4/.5 D5/1 | F5/1 D5/.5 Bb4/1 G4/1.5 | -/1 C5/.5 D5/.5 Eb5/1 F5/1`;
const lastTune = `-/.5 Bb4/.5 D5/.5 F5/1 Eb5/.5 B4/1 | D5/1 Eb5/.5 D5/.5 C5/.5 A4/1 G4/.5 | Ab4/.5 C5/.5 Eb5/1 D5/.5 C5/.5 Ab4/1 | Bb4/1 D5/1 E5/.5 Db5/.5 Bb4/1
  Ab4/.5 C5/.5 Eb5/1 D5/1 F5/1 | G5/.5 -/.5 Bb5/3`;
const solo = `-/1 Bb4/.5 D5/.5 F5/.5 G5/.5 F5/.5 D5/.5 | E5/.5 G5/.5 Bb5/1 Ab5/.5 G5/.5 E5/.5 Db5/.5 | C5/.5 Eb5/.5 G5/.5 Eb5/.5 C5/.5 Ab4/.5 C5/1 | D5/.5 F5/.5 G5/.5 C6/1 Bb5/1 -/.5`;

const drums = (mix: MixName): Part[] => {
  const [feet, brushes, pedal, ride, crash] = [61, 62, 63, 64, 65].map((seed) => new NoteWriter(clock, { seed, loose: 0.008, touch: 0.16 }));
  if (!feet || !brushes || !pedal || !ride || !crash) return [];
  const swung = [...bars(4, 20), ...bars(24, 29)];
  feet.hits(swung, 'xooo');
  feet.hits([20, 21, 22], 'X.......');
  feet.hits([23], 'X.....xX');
  brushes.hits([...bars(4, 11), ...bars(12, 19), ...bars(24, 28)], '..o.o..oo.x.o..o');
  brushes.hits([11, 19], '..o.o..xo.xxoxXx');
  brushes.hits([3], '........x..x.xXX');
  brushes.hits([20, 21, 22], '....o.o.');
  brushes.hits([23], '..o.xxxxX.x.X.X.');
  pedal.hits([...bars(1, 20), ...bars(24, 29)], '.x.x');
  const pattern = mix === '1.0' ? 'X.X.X.X.' : 'x.Xox.Xo';
  ride.hits(swung, pattern);
  ride.hits([29], 'X...');
  crash.hits([4, 12, 24], 'x...');
  crash.hits([29], '.x..');
  return [
    { name: 'kick', instrument: kick({ tune: 58, sweep: 70, decay: 0.12, click: 0.08, drive: 0 }), notes: feet.notes },
    { name: 'snare', instrument: snare({ tone: 205, colour: 3400, ring: 0.05, wires: 0.1, body: 0.22 }), notes: brushes.notes },
    { name: 'hats', instrument: cymbal({ decay: 0.035, cut: 6300, metal: 0.5, ping: 0.2 }), notes: pedal.notes },
    { name: 'cymbals', instrument: cymbal({ decay: 0.34, cut: 5200, metal: 0.9, ping: 1.2 }), notes: ride.notes },
    { name: 'cymbals', instrument: cymbal({ decay: 0.9, cut: 3800, metal: 0.45, ping: 0.6 }), notes: crash.notes },
  ];
};

const band = (mix: MixName): Part[] => {
  const bass = new NoteWriter(clock, { seed: 71, loose: 0.008, late: 0.004 });
  bass.walk(intro.slice(2), 'r/2 5/2', 0.7);
  bass.walk(verse, 'r/1 5/1 c/1 n/1', 0.8);
  bass.walk(chorus, 'r/1 c/1 5/1 n/1', 0.88);
  bass.walk(stops, 'r/.5', 0.9);
  bass.walk(lastVerse, 'r/1 5/1 c/1 n/1', 0.9);
  bass.walk(ending.slice(0, 2), 'r/1 5/1', 0.84);
  bass.walk(ending.slice(2), 'r/4', 0.84);
  const keys = new NoteWriter(clock, { seed: 72, loose: 0.009, touch: 0.15 });
  keys.comp(intro, { rhythm: 'x..o....', length: 1.4, velocity: 0.62, spread: 0.018 });
  keys.comp(verse, { rhythm: 'x..x......o.....', length: 0.55, velocity: 0.58 });
  keys.comp(chorus, { rhythm: 'x..x..o...x....o', length: 0.8, velocity: 0.66 });
  keys.comp(stops, { rhythm: 'X.......', length: 0.4, velocity: 0.8 });
  keys.comp([...lastVerse, ...ending.slice(0, 2)], { rhythm: 'x..x..o...x.....', length: 0.6, velocity: 0.68 });
  keys.comp(chart('Eb6', 29), { rhythm: 'X.......', length: 0.5, velocity: 0.8 });
  keys.comp(chart('Eb6', 29), { rhythm: '.x......', length: 5, velocity: 0.62, spread: 0.05 });
  const strums = new NoteWriter(clock, { seed: 73, loose: 0.006, pan: 0.3 });
  strums.comp([...verse, ...chorus, ...lastVerse], { rhythm: 'oxox', length: 0.32, velocity: 0.6, spread: 0.007 });
  return [
    { name: 'bass', instrument: uprightBass, notes: bass.notes },
    { name: 'keys', instrument: electricPiano({ ring: 1.1, bark: 0.9, tine: 0.8, tremolo: 4.6 }), notes: keys.notes },
    { name: 'guitar', instrument: guitar({ ring: 0.5, bright: 0.5, body: 0.5 }), notes: mix === '1.0' ? [] : strums.notes },
  ];
};

const soloists = (mix: MixName): Part[] => {
  const lead = new NoteWriter(clock, { seed: 81, loose: 0.014, late: 0.012 });
  lead.line(4, verseTune, 0.74);
  lead.line(12, chorusTune, 0.9);
  lead.line(24, lastTune, 0.92);
  const answer = new NoteWriter(clock, { seed: 82, loose: 0.012, pan: -0.3 });
  answer.line(20, solo, 0.82);
  if (mix === '2.0') answer.line(2, '-/2 Bb4/.5 C5/.5 Eb5/.5 G5/.5 | F5/1.5 D5/.5 C5/2', 0.6);
  const choir = new NoteWriter(clock, { seed: 83, loose: 0.02 });
  if (mix !== '1.0') choir.hold(chorus, 0.5, 0.94);
  const reed = { attack: 0.03, decay: 0.5, sustain: 0.8, release: 0.05 };
  return [
    { name: 'lead', instrument: voice({ breath: 0.04, hiss: 0.08, vibrato: 1, cents: 0, soft: false }), notes: lead.notes },
    { name: 'arp', instrument: synth({ cutoff: 900, open: 1500, pluck: 0.35, edge: 0.95, vibrato: 0.8, resonance: 0.8, shape: reed }), notes: answer.notes },
    { name: 'doubles', instrument: voice({ breath: 0.05, hiss: 0, vibrato: 0.4, cents: 4, soft: true }), notes: choir.notes },
  ];
};

const at = (bar: number) => barSeconds(clock, bar);

export const paperMoon: Song = {
  title: 'Paper Moon',
  key: 'E flat major',
  tempo: 104,
  duration: at(30) + 2.8,
  sections: layOut(clock, [
    ['Intro', 4],
    ['Verse', 8],
    ['Chorus', 8],
    ['Break', 4],
    ['Last verse', 4],
    ['Ending', 2],
  ]),
  moments: [
    { start: at(3), end: at(4), category: 'performance', text: 'Softer fill into the verse' },
    { start: at(12), end: at(16), category: 'style', text: 'Slap echo, too fifties?' },
    { start: at(20), end: at(24), category: 'arrangement', text: 'Stops: clarinet or nothing' },
    { start: at(16), end: at(20), category: 'mix', text: 'Ride over the voice' },
    { start: at(24), end: at(28), category: 'general', text: 'Take 3 or 5?' },
    { start: at(28), end: at(30), category: 'performance', text: 'Hold the last note longer' },
    { start: at(1), end: at(3), category: 'arrangement', text: 'Clarinet says good evening' },
    { start: at(6), end: at(9), category: 'mix', text: 'Walking bass, one size up' },
    { start: at(12), end: at(14), category: 'style', text: 'Brushes for one round' },
    { start: at(13), end: at(17), category: 'performance', text: 'Lay this back a hair' },
  ],
  parts: (mix) => [...drums(mix), ...band(mix), ...soloists(mix)],
  mixes: paperMoonMixes,
  summaries: {
    '1.0': 'Live in one room, no choir, guitar missing',
    '1.1': 'Guitar, choir in the chorus, fatter bass',
    '2.0': 'Voice in front, drier, loud',
  },
};
