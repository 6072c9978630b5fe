import { describe, expect, test } from '@jest/globals';
import { drawLayer, extremes, layersOf, power } from './whole-wave-layers';

const columns = { min: Float32Array.of(-1, -0.25), max: Float32Array.of(0.5, 0.75), rms: Float32Array.of(0.25, 0.5) };

describe('the channels', () => {
  test('are the peaks of each column, and its RMS limited to the peaks', () => {
    const [peakEnvelope, rmsBody] = layersOf(columns);
    expect([...peakEnvelope]).toEqual([-1, 0.5, -0.25, 0.75]);
    expect([...rmsBody]).toEqual([-0.25, 0.25, -0.25, 0.5]);
  });

  test('are empty without columns', () => {
    const none = new Float32Array(0);
    expect(layersOf({ min: none, max: none, rms: none }).map(({ length }) => length)).toEqual([0, 0]);
  });
});

describe('columns that share a pixel', () => {
  test('span their minimum to their maximum', () => {
    expect(extremes([-0.5, 0.25, -0.125, 0.75, -1, 1], 0, 2)).toEqual([-0.5, 0.75]);
  });

  test('have the RMS of all of them', () => {
    expect(power([-0.5, 1, 0, 0, 0, 0, -0.5, 1, -1, 1], 0, 4)).toEqual([-Math.sqrt(0.125), Math.sqrt(0.5)]);
  });
});

describe('a layer', () => {
  /** Records filled rectangles as `x top width height`. */
  function drawn(pairs: readonly number[], width: number, lasts = pairs.length / 2): readonly string[] {
    const notes: string[] = [];
    const context = { fillRect: (...rectangle: readonly number[]) => void notes.push(rectangle.join(' ')) };
    drawLayer(context, { pairs, fold: extremes, columns: lasts }, { width, height: 100, reach: 40 });
    return notes;
  }

  test('has a bar per pixel, from minimum to maximum', () => {
    expect(drawn([-1, 0.5, -0.25, 0.75], 2)).toEqual(['0 30 1 60', '1 20 1 40']);
  });

  test('is a line in silence', () => {
    expect(drawn([0, 0], 2)).toEqual(['0 50 1 1', '1 50 1 1']);
  });

  test('includes every column when there are more columns than pixels', () => {
    expect(drawn([0, 0, 0, 0.5, 0, 0, 0, 0, -1, 0, 0, 0.25], 2)).toEqual(['0 30 1 20', '1 40 1 50']);
  });

  test('repeats columns when there are fewer columns than pixels', () => {
    expect(drawn([0, 1, -1, 0], 4)).toEqual(['0 10 1 40', '1 10 1 40', '2 50 1 40', '3 50 1 40']);
  });

  test('ends with the track, even within a column', () => {
    expect(drawn([0, 1, 0, 0.5, 0, 0.25], 5, 2.5)).toEqual(['0 10 1 40', '1 10 1 40', '2 30 1 20', '3 30 1 20', '4 40 1 10']);
  });
});
