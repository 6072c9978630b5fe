import { describe, expect, test } from '@jest/globals';
import { newChartReader } from './chart.js';
import { secondsAt } from './form.js';
import { hitsOf, pitchOf, tokensOf } from './notation.js';

describe('the notation the demo songs are written in', () => {
  test('reads note names as MIDI numbers, and rejects other text', () => {
    expect(['C4', 'A4', 'Bb1', 'F#5'].map(pitchOf)).toEqual([60, 69, 34, 78]);
    expect(() => pitchOf('H4')).toThrow(RangeError);
  });

  test('reads a melody with its rests', () => {
    expect(tokensOf('A4/2 -/1 C5/.5 | D5')).toEqual([
      { beat: 0, length: 2, name: 'A4' },
      { beat: 3, length: 0.5, name: 'C5' },
      { beat: 3.5, length: 1, name: 'D5' },
    ]);
  });

  test('reads a rhythm as accents, strokes and ghost notes', () => {
    expect(hitsOf('X.xo')).toEqual([1, 0, 0.74, 0.42]);
  });

  test('divides a bar evenly among its chords', () => {
    const chart = newChartReader({ C: 'C2: E3 G3', F: 'F2: F3 A3' }, 4);
    expect(chart('C | F C', 2)).toEqual([
      { beat: 8, length: 4, bass: 36, notes: [52, 55] },
      { beat: 12, length: 2, bass: 41, notes: [53, 57] },
      { beat: 14, length: 2, bass: 36, notes: [52, 55] },
    ]);
  });

  test('delays the second quaver of a beat with swing', () => {
    const clock = { beatsPerBar: 4, beatSeconds: 0.6, swing: 2 / 3 };
    expect([0, 0.5, 1, 1.5].map((beat) => Number(secondsAt(clock, beat).toFixed(3)))).toEqual([0, 0.4, 0.6, 1]);
  });
});
