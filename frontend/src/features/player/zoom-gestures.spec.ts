import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { watchZoom } from './zoom-gestures';

let stop = () => undefined as void;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  stop();
  jest.useRealTimers();
});

function aWave() {
  const element = document.createElement('div');
  const calls: string[] = [];
  stop = watchZoom(element, () => ({
    onZoom: (factor, x) => void calls.push(`zoom ${factor.toFixed(2)} at ${x}`),
    onStep: (steps, x) => void calls.push(`step ${steps} at ${x}`),
    onEnd: (x) => void calls.push(`end at ${x}`),
  }));
  const wheel = (init: WheelEventInit) => element.dispatchEvent(new WheelEvent('wheel', { clientX: 40, cancelable: true, ...init }));
  const touch = (type: string, ...xs: readonly number[]) => {
    const event = Object.assign(new Event(type, { cancelable: true }), { touches: xs.map((clientX) => ({ clientX, clientY: 0 })) });
    return element.dispatchEvent(event);
  };
  return { calls, wheel, touch };
}

const nextFrame = () => jest.advanceTimersByTime(16);

describe('the wheel', () => {
  test('zooms with Ctrl or Cmd, by a step per notch', () => {
    const { calls, wheel } = aWave();
    expect(wheel({ ctrlKey: true, deltaY: -120 })).toBe(false);
    expect(wheel({ metaKey: true, deltaY: 120 })).toBe(false);
    expect(calls).toEqual(['step 1 at 40', 'step -1 at 40']);
  });

  test('scrolls without them', () => {
    const { calls, wheel } = aWave();
    expect(wheel({ deltaY: -120 })).toBe(true);
    expect(wheel({ deltaX: 30, shiftKey: true })).toBe(true);
    expect(calls).toEqual([]);
  });
});

test('a touchpad pinch zooms once per frame, and ends when it pauses', () => {
  const { calls, wheel } = aWave();
  wheel({ ctrlKey: true, deltaY: -10 });
  wheel({ ctrlKey: true, deltaY: -10 });
  nextFrame();
  expect(calls).toEqual([`zoom ${Math.exp(0.2).toFixed(2)} at 40`]);

  jest.advanceTimersByTime(200);
  expect(calls.slice(1)).toEqual(['end at 40']);
});

describe('two fingers', () => {
  test('zoom around their middle by how far they move apart; the page does not zoom', () => {
    const { calls, touch } = aWave();
    touch('touchstart', 100, 200);
    expect(touch('touchmove', 50, 250)).toBe(false);
    nextFrame();
    touch('touchend', 50);
    expect(calls).toEqual(['zoom 2.00 at 150', 'end at 150']);
  });

  test('that are lifted within a frame still zoom', () => {
    const { calls, touch } = aWave();
    touch('touchstart', 100, 200);
    touch('touchmove', 125, 175);
    touch('touchend');
    expect(calls).toEqual(['zoom 0.50 at 150', 'end at 150']);
  });

  test('one finger scrolls', () => {
    const { calls, touch } = aWave();
    touch('touchstart', 100);
    expect(touch('touchmove', 150)).toBe(true);
    expect(calls).toEqual([]);
  });
});
