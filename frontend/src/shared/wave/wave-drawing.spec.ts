import { describe, expect, test } from '@jest/globals';
import { bar, drawWave, type DrawnMark, type WaveColours, markAt, runsOf } from './wave-drawing';

const mark = (id: string, start: number, end: number, isSelected = false): DrawnMark => ({ id, start, end, category: 'mix', isSelected });
const colours: WaveColours = {
  unplayed: { peakEnvelope: 'unplayed-peaks', rmsBody: 'unplayed-rms' },
  played: { peakEnvelope: 'played-peaks', rmsBody: 'played-rms' },
  zero: 'zero',
  cursor: 'cursor',
  category: { performance: 'p', mix: 'mix', style: 's', arrangement: 'a', general: 'g', lyrics: 'l' },
};

describe('colour', () => {
  test('a time has the colour of the selected region, or else of the first that covers it', () => {
    expect(markAt([mark('a', 0, 10), mark('b', 5, 15)], 7)?.id).toBe('a');
    expect(markAt([mark('a', 0, 10), mark('b', 5, 15, true)], 7)?.id).toBe('b');
    expect(markAt([mark('a', 0, 10)], 10)).toBeNull();
  });

  test('columns are split where the colour changes', () => {
    const runs = runsOf([mark('a', 2, 4), mark('b', 3, 8)], { start: 0, end: 10 }, 10);

    expect(runs.map((run) => [run.from, run.to, run.mark?.id ?? ''])).toEqual([
      [0, 2, ''],
      [2, 3, 'a'],
      [3, 4, 'a'],
      [4, 8, 'b'],
      [8, 10, ''],
    ]);
  });

  test('regions outside the span split nothing', () => {
    expect(runsOf([mark('a', 20, 30)], { start: 0, end: 10 }, 10)).toEqual([{ from: 0, to: 10, mark: null }]);
  });
});

describe('a column', () => {
  test('spans its minimum to its maximum around the zero line', () => {
    expect(bar(-0.25, 1, { height: 100, reach: 40 })).toEqual([10, 50]);
  });

  test('is one pixel high in silence', () => {
    expect(bar(0, 0, { height: 100, reach: 40 })).toEqual([50, 1]);
  });
});

describe('the drawing', () => {
  /** Records filled rectangles as `colour alpha: x top height`. */
  function drawn(isPlayed: boolean, marks: readonly DrawnMark[]): readonly string[] {
    const notes = new Map<string, string[]>();
    const context = {
      globalAlpha: 1,
      fillStyle: '',
      fillRect: (x: number, top: number, _width: number, height: number) => {
        const colour = `${context.fillStyle} ${context.globalAlpha}`;
        notes.set(colour, [...(notes.get(colour) ?? []), `${x} ${top} ${height}`]);
      },
    };
    const columns = { min: Float32Array.of(-1, -1), max: Float32Array.of(0.5, 0.5), rms: Float32Array.of(0.25, 0.25) };
    const picture = { columns, runs: runsOf(marks, { start: 0, end: 2 }, 2), box: { height: 100, reach: 40 }, colours, isPlayed };
    drawWave(context, picture);
    return [...notes].map(([colour, rects]) => `${colour}: ${rects.join(', ')}`);
  }

  test('has a peak envelope and an RMS body', () => {
    expect(drawn(false, [])).toEqual(['unplayed-peaks 1: 0 30 60, 1 30 60', 'unplayed-rms 1: 0 40 20, 1 40 20']);
  });

  test('gives an unselected region a pale peak envelope and an RMS body of 68 %', () => {
    expect(drawn(false, [mark('a', 0, 2)])).toEqual(['mix 0.34: 0 30 60, 1 30 60', 'unplayed-rms 1: 0 40 20, 1 40 20', 'mix 0.68: 0 40 20, 1 40 20']);
  });

  test('gives a selected region a full RMS body', () => {
    expect(drawn(false, [mark('a', 0, 2, true)])).toEqual(['mix 0.5: 0 30 60, 1 30 60', 'unplayed-rms 1: 0 40 20, 1 40 20', 'mix 1: 0 40 20, 1 40 20']);
  });

  test('keeps the region’s colour only in the peak envelope once played', () => {
    expect(drawn(true, [mark('a', 0, 2)])).toEqual(['mix 0.8: 0 30 60, 1 30 60', 'played-rms 1: 0 40 20, 1 40 20']);
  });
});
