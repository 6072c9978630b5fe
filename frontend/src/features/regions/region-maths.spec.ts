import { describe, expect, test } from '@jest/globals';
import { between, doubled, halved, moved, newAt, resized, shifted } from './region-maths';

const region = { start: 10, end: 14 };

test('a region between two times stays on the track, and has a shortest length', () => {
  expect([between(10, 12.3456, 100), between(10, 4, 100), between(10, -3, 100), between(98, 104, 100), between(10, 10.04, 100)]).toEqual([
    { start: 10, end: 12.346 },
    { start: 4, end: 10 },
    { start: 0, end: 10 },
    { start: 98, end: 100 },
    null,
  ]);
});

describe('shifting', () => {
  test('moves a region left or right by its own length', () => {
    expect(shifted(region, -1, 100)).toEqual({ start: 6, end: 10 });
    expect(shifted(region, 1, 100)).toEqual({ start: 14, end: 18 });
  });

  test('is ignored if it would leave the track', () => {
    expect(shifted({ start: 3, end: 7 }, -1, 100)).toBeNull();
    expect(shifted({ start: 94, end: 98 }, 1, 100)).toBeNull();
  });

  test('can reach both ends of the track', () => {
    expect(shifted({ start: 4, end: 8 }, -1, 100)).toEqual({ start: 0, end: 4 });
    expect(shifted({ start: 92, end: 96 }, 1, 100)).toEqual({ start: 96, end: 100 });
  });
});

describe('length', () => {
  test('doubles and halves, keeping the start', () => {
    expect(doubled(region, 100)).toEqual({ start: 10, end: 18 });
    expect(halved(region, 100)).toEqual({ start: 10, end: 12 });
  });

  test('does not double beyond the track, nor halve below 0.05 s', () => {
    expect(doubled({ start: 90, end: 96 }, 100)).toBeNull();
    expect(halved({ start: 10, end: 10.08 }, 100)).toBeNull();
  });

  test('is rounded to milliseconds', () => {
    expect(halved({ start: 0, end: 1.0006 }, 100)).toEqual({ start: 0, end: 0.5 });
  });
});

describe('dragging', () => {
  test('a region keeps its length and stops at the ends of the track', () => {
    expect(moved(region, 5, 100)).toEqual({ start: 15, end: 19 });
    expect(moved(region, -50, 100)).toEqual({ start: 0, end: 4 });
    expect(moved(region, 500, 100)).toEqual({ start: 96, end: 100 });
  });

  test('an edge stops at the ends of the track and before the other edge', () => {
    expect(resized(region, 'start', 8, 100)).toEqual({ start: 8, end: 14 });
    expect(resized(region, 'start', -8, 100)).toEqual({ start: 0, end: 14 });
    expect(resized(region, 'start', 20, 100)).toEqual({ start: 13.95, end: 14 });
    expect(resized(region, 'end', 500, 100)).toEqual({ start: 10, end: 100 });
    expect(resized(region, 'end', 2, 100)).toEqual({ start: 10, end: 10.05 });
  });
});

describe('marking at the playhead', () => {
  test('creates a region of four seconds from or up to it, within the track', () => {
    expect([newAt('start', 10, 100), newAt('end', 10, 100), newAt('start', 98, 100), newAt('end', 2, 100)]).toEqual([
      { start: 10, end: 14 },
      { start: 6, end: 10 },
      { start: 98, end: 100 },
      { start: 0, end: 2 },
    ]);
  });

  test('creates nothing without room', () => {
    expect([newAt('start', 100, 100), newAt('end', 0, 100)]).toEqual([null, null]);
  });
});
