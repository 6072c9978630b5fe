import { describe, expect, test } from '@jest/globals';
import { rulerTicks, ticksWithin, timeScale, toZoomStep, zoomAfter, zoomFor } from './time-scale';

describe('zoom', () => {
  test('has steps of 5 from 0 to 100', () => {
    expect([-3, 0, 2, 3, 97, 98, 130].map(toZoomStep)).toEqual([0, 0, 0, 5, 95, 100, 100]);
  });

  test('0 fits the whole track, 100 shows 200 pixels per second, and each step multiplies by the same factor', () => {
    const widths = [0, 50, 100].map((zoom) => timeScale(100, 1_000, zoom).width);

    expect(widths).toEqual([1_000, 4_472, 20_000]);
  });

  test('a gesture zooms by a factor of the width, between the limits', () => {
    expect(zoomAfter(0, 20, 10)).toBe(100);
    expect(zoomAfter(50, Math.sqrt(20), 10)).toBeCloseTo(100);
    expect(zoomAfter(50, 1 / Math.sqrt(20), 10)).toBeCloseTo(0);
    expect(zoomAfter(90, 20, 10)).toBe(100);
    expect(zoomAfter(0, 2, 500)).toBe(0);
  });

  test('a short track is never narrower than the screen', () => {
    expect(timeScale(2, 1_000, 100).width).toBe(1_000);
  });

  test('a span fills at most two thirds of the visible width', () => {
    const zoom = zoomFor({ start: 10, end: 20 }, 100, { whole: 1_000, visibleWidth: 1_000 });
    const scale = timeScale(100, 1_000, zoom);
    const closer = timeScale(100, 1_000, zoom + 5);

    expect(10 * scale.pxPerSecond).toBeLessThanOrEqual(667);
    expect(10 * closer.pxPerSecond).toBeGreaterThan(667);
  });
});

test('toX and toTime are inverse, and times are clamped to the track', () => {
  const scale = timeScale(100, 1_000, 0);

  expect([scale.toX(25), scale.toTime(250), scale.toTime(-20), scale.toTime(4_000)]).toEqual([250, 25, 0, 100]);
});

test('a track of unknown length has no scale, and no division by zero', () => {
  const scale = timeScale(0, 1_000, 50);

  expect([scale.width, scale.toX(5), scale.toTime(500)]).toEqual([1_000, 0, 0]);
});

describe('the ruler', () => {
  test('uses round intervals that leave room for their labels', () => {
    expect([2, 6.2, 14.4, 200].map((px) => rulerTicks(px).major)).toEqual([60, 15, 10, 0.5]);
  });

  test('labels only the drawn span', () => {
    expect(ticksWithin({ start: 47, end: 81 }, 10)).toEqual([50, 60, 70, 80]);
    expect(ticksWithin({ start: 0, end: 5 }, 10)).toEqual([0]);
  });
});
