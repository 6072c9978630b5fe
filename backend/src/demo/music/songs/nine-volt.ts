import { synthBass } from '../instruments/bass.js';
import { cymbal, rise } from '../instruments/cymbals.js';
import { electricPiano } from '../instruments/keys.js';
import { kick } from '../instruments/kick.js';
import { pad } from '../instruments/pad.js';
import { clap, snare } from '../instruments/snare.js';
import { synth } from '../instruments/synth.js';
import { voice } from '../instruments/voice.js';
import { newChartReader } from '../score/chart.js';
import { barSeconds, type Clock, layOut } from '../score/form.js';
import { bars, NoteWriter } from '../score/note-writer.js';
import type { MixName, Part, Song } from '../score/song.js';
import { nineVoltMixes } from './nine-volt.mixes.js';

/** Four on the floor at 124. */
const clock: Clock = { beatsPerBar: 4, beatSeconds: 60 / 124, swing: 0.5 };

const chart = newChartReader(
  {
    'F#m9': 'F#1: A3 C#4 E4 G#4',
    Dmaj7: 'D2: A3 C#4 D4 F#4',
    Bm9: 'B1: A3 C#4 D4 F#4',
    'C#m7': 'C#2: G#3 B3 C#4 E4',
    A: 'A1: A3 C#4 E4 B4',
    E: 'E2: G#3 B3 E4 F#4',
  },
  clock.beatsPerBar,
);

const intro = chart('F#m9 | F#m9 | Dmaj7 | Dmaj7', 0);
const verse = chart('F#m9 | F#m9 | Dmaj7 | Dmaj7 | F#m9 | F#m9 | Bm9 | C#m7', 4);
const lift = chart('Bm9 | C#m7 | Dmaj7 | E', 12);
const chorus = chart('Dmaj7 | E | F#m9 | A | Dmaj7 | E | F#m9 | C#m7', 16);
const middle = chart('F#m9 | Dmaj7 | Bm9 | E', 24);
const lastChorus = chart('Dmaj7 | E | F#m9 | A | Dmaj7 | E | C#m7', 28);
const ending = chart('F#m9', 35);

const verseTune = `-/1 C#4/.5 E4/.5 F#4/1 E4/.5 C#4/.5 | E4/1.5 C#4/.5 -/2 | -/1 C#4/.5 D4/.5 F#4/1 A4/1 | F#4/1.5 E4/.5 C#4/1 -/1
  -/1 C#5/.5 B4/.5 A4/1 F#4/.5 E4/.5 | F#4/1.5 E4/.5 -/2 | -/.5 D4/.5 F#4/.5 A4/.5 C#5/1 B4/1 | G#4/1.5 E4/.5 G#4/1 B4/1`;
const hook = `F#5/.75 E5/.75 C#5/.5 A4/1 C#5/1 | B4/.75 G#4/.75 B4/.5 E5/1.5 -/.5 | E5/.75 C#5/.75 A4/.5 G#4/1 A4/1 | C#5/.75 B4/.75 A4/.5 E4/1.5 -/.5
  F#5/.75 E5/.75 C#5/.5 A4/1 C#5/1 | B4/.75 G#4/.75 B4/.5 E5/1 F#5/1 | A5/.75 G#5/.75 E5/.5 C#5/1 E5/1 | G#5/1.5 E5/.5 B4/1 C#5/1`;
const lastHook = `F#5/.75 E5/.75 C#5/.5 A4/1 C#5/1 | B4/.75 G#4/.75 B4/.5 E5/1.5 -/.5 | E5/.75 C#5/.75 A4/.5 G#4/1 A4/1 | C#5/.75 B4/.75 A4/.5 E5/2
  F#5/.75 E5/.75 C#5/.5 A4/1 C#5/1 | B4/.75 G#4/.75 B4/.5 E5/1 F#5/1 | G#5/.75 E5/.75 B4/.5 C#5/1 E5/1 | F#5/4`;
const singing = 'A4/3 -/1 | B4/2 G#4/2 | A4/3 C#5/1 | C#5/2 -/2 | F#5/3 -/1 | E5/2 G#4/2 | C#5/3 -/1 | B4/2 C#5/2';

const drums = (mix: MixName): Part[] => {
  const [kicks, claps, rolls, closed, open, crash] = [91, 92, 93, 94, 95, 96].map((seed) => new NoteWriter(clock, { seed, loose: 0.003, touch: 0.1 }));
  if (!kicks || !claps || !rolls || !closed || !open || !crash) return [];
  kicks.hits([...bars(2, 14), ...bars(16, 23), ...bars(28, 35)], 'XXXX');
  kicks.hits([14], 'X.X.X.X.');
  kicks.hits([23], 'X...X...X.....x.');
  kicks.hits([35], 'X...');
  claps.hits([...bars(4, 14), ...bars(16, 24), ...bars(28, 35)], '.X.X');
  rolls.hits([14], 'x.x.x.x.x.x.x.x.');
  rolls.hits([15], 'ooooxxxxxxxxXXXX');
  rolls.hits([11, 23], '..........o.xoXx');
  rolls.hits([27], '....o.o.x.xxXXXX');
  closed.hits([...bars(4, 15), ...bars(16, 24), ...bars(28, 35)], mix === '1.0' ? 'x.x.x.x.x.x.x.x.' : 'xo.oxo.oxo.oxooo');
  closed.hits(bars(24, 27), 'o.o.x.o.o.o.x.oo');
  open.hits([...bars(8, 15), ...bars(16, 24), ...bars(28, 35)], '..x...x...x...x.');
  crash.hits([4, 16, 24, 28, 35], 'X...');
  const wind = new NoteWriter(clock, { seed: 97, loose: 0 });
  for (const bar of [12, 26]) wind.write({ beat: bar * 4, length: bar === 12 ? 16 : 8, pitch: 60, velocity: 0.9 });
  return [
    { name: 'kick', instrument: kick({ tune: 47, sweep: 210, decay: 0.13, click: 0.22, drive: 0.55 }), notes: kicks.notes },
    { name: 'snare', instrument: clap(1700), notes: claps.notes },
    { name: 'toms', instrument: snare({ tone: 190, colour: 2600, ring: 0.06, wires: 0.08, body: 0.4 }), notes: rolls.notes },
    { name: 'hats', instrument: cymbal({ decay: 0.026, cut: 8200, metal: 0.6, ping: 0.3 }), notes: closed.notes },
    { name: 'hats', instrument: cymbal({ decay: 0.085, cut: 7400, metal: 0.6, ping: 0 }), notes: open.notes },
    { name: 'cymbals', instrument: cymbal({ decay: 0.8, cut: 4200, metal: 0.35, ping: 0.7 }), notes: crash.notes },
    { name: 'rise', instrument: rise, notes: mix === '1.0' ? [] : wind.notes },
  ];
};

const band = (): Part[] => {
  const bass = new NoteWriter(clock, { seed: 101, loose: 0.002 });
  bass.walk(verse, 'r/.75 r/.75 r/.5 r/.75 r/.75 8/.5', 0.8);
  bass.walk(lift, 'r/.5 r/.5 r/.5 r/.5 r/.5 r/.5 8/.5 r/.5', 0.84);
  bass.walk([...chorus, ...lastChorus], '-/.5 r/.5 -/.25 r/.25 8/.5 -/.5 r/.5 -/.25 r/.25 8/.5', 0.96);
  bass.walk(ending, 'r/3', 0.9);
  const pads = new NoteWriter(clock, { seed: 102, loose: 0.004 });
  pads.hold([...intro, ...lift, ...middle], 0.5);
  pads.hold([...chorus, ...lastChorus], 0.78);
  pads.hold(ending, 0.6);
  const stabs = new NoteWriter(clock, { seed: 103, loose: 0.004 });
  stabs.comp(verse, { rhythm: '..x..x....x.....', length: 0.4, velocity: 0.6 });
  stabs.comp([...chorus, ...lastChorus], { rhythm: 'x..x..x.....x...', length: 0.4, velocity: 0.72 });
  stabs.comp([...middle, ...ending], { rhythm: 'x...............', length: 4, velocity: 0.6, spread: 0.02 });
  return [
    { name: 'bass', instrument: synthBass({ cutoff: 170, open: 1500, pluck: 0.09, edge: 0.35, sub: 0.5, resonance: 1.6 }), notes: bass.notes },
    {
      name: 'pad',
      instrument: pad({ cutoff: 3400, sway: 700, spread: 16, shape: { attack: 0.03, decay: 1, sustain: 0.85, release: 0.12 } }),
      notes: pads.notes,
    },
    { name: 'keys', instrument: electricPiano({ ring: 0.8, bark: 1, tine: 0.5, tremolo: 2.07 }), notes: stabs.notes },
  ];
};

/** The voice is ahead of the beat until the last version. */
const front = (mix: MixName): Part[] => {
  const arp = new NoteWriter(clock, { seed: 111, loose: 0.002, touch: 0.12 });
  arp.pick([...intro, ...middle], '0214325402143254', 0.66, 1.2);
  arp.pick([...verse.slice(4), ...lift], '0.14.2540.14.254', 0.5, 1.1);
  arp.pick([...chorus, ...lastChorus], '4265427642654276', 0.56, 1.1);
  const lead = new NoteWriter(clock, { seed: 112, loose: 0.008, late: mix === '2.0' ? 0 : -0.05 });
  lead.line(4, verseTune, 0.78);
  lead.line(16, singing, 0.86);
  lead.line(28, singing.split('|').slice(0, 6).join('|'), 0.9);
  const hooks = new NoteWriter(clock, { seed: 113, loose: 0.003 });
  hooks.line(16, hook, 0.84);
  hooks.line(28, lastHook, 0.9);
  if (mix === '2.0') hooks.line(24, '-/2 C#5/1 E5/1 | F#5/3 E5/1 | D5/2 C#5/1 A4/1 | B4/3 -/1', 0.55);
  const plucked = { attack: 0.002, decay: 0.18, sustain: 0.25, release: 0.05 };
  const held = { attack: 0.008, decay: 0.4, sustain: 0.8, release: 0.06 };
  return [
    { name: 'arp', instrument: synth({ cutoff: 650, open: 4200, pluck: 0.07, edge: 0.3, vibrato: 0, resonance: 1.5, shape: plucked }), notes: arp.notes },
    { name: 'lead', instrument: voice({ breath: 0.05, hiss: 0.2, vibrato: 0.5, cents: 0, soft: false }), notes: lead.notes },
    {
      name: 'doubles',
      instrument: synth({ cutoff: 1700, open: 2600, pluck: 0.25, edge: 0.55, vibrato: 0.7, resonance: 1.1, shape: held }),
      notes: hooks.notes,
    },
  ];
};

const at = (bar: number) => barSeconds(clock, bar);

export const nineVolt: Song = {
  title: 'Nine Volt',
  key: 'F sharp minor',
  tempo: 124,
  duration: at(36) + 2.6,
  sections: layOut(clock, [
    ['Intro', 4],
    ['Verse', 8],
    ['Lift', 4],
    ['Chorus', 8],
    ['Break', 4],
    ['Last chorus', 7],
    ['Ending', 1],
  ]),
  moments: [
    { start: at(14), end: at(16), category: 'arrangement', text: 'Roll one bar shorter?' },
    { start: at(16), end: at(20), category: 'mix', text: 'Pad pumps too hard' },
    { start: at(8), end: at(12), category: 'mix', text: 'Open hat is a knife' },
    { start: at(24), end: at(28), category: 'style', text: 'Break: keep the arpeggio alone' },
    { start: at(4), end: at(8), category: 'performance', text: 'Sung too far ahead' },
    { start: at(35), end: at(36), category: 'general', text: 'Hit and out, no fade' },
    { start: at(2), end: at(4), category: 'arrangement', text: 'Door opens two bars early' },
    { start: at(10), end: at(13), category: 'performance', text: 'On the beat at last' },
    { start: at(24), end: at(28), category: 'style', text: 'One low note, then the floor' },
    { start: at(28), end: at(32), category: 'mix', text: 'Kick owns the low end' },
  ],
  parts: (mix) => [...drums(mix), ...band(), ...front(mix)],
  mixes: nineVoltMixes,
  summaries: {
    '1.0': 'Sketch from the box, nothing ducks yet',
    '1.1': 'Fat bass, hall on the pad, wind in the lift',
    '2.0': 'Loud one: pumping, voice up, hall nearly off',
  },
};
