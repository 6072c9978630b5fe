import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HOLD_MS, SEEK_DELAY_MS, watchWave } from './wave-gestures';

let stop = () => undefined as void;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  stop();
  jest.useRealTimers();
});

/** A wave with one pixel per second. */
function aWave({ mayDraw = true } = {}) {
  const element = document.createElement('div');
  const calls: string[] = [];
  const record = (name: string) => (span?: { start: number; end: number }) => void calls.push(span ? `${name} ${span.start}-${span.end}` : name);
  const draw = { onDraw: record('draw'), onDrawn: record('drawn'), onCancel: record('cancel') };
  stop = watchWave(element, () => ({
    timeAt: (x) => x,
    onClick: (seconds) => void calls.push(`seek ${seconds}`),
    onDoubleClick: (seconds) => void calls.push(`double ${seconds}`),
    draw: mayDraw ? draw : null,
  }));
  const send = (type: string, clientX: number, pointerType = 'mouse') =>
    element.dispatchEvent(new PointerEvent(type, { clientX, pointerType, isPrimary: true, button: 0 }));
  const click = (x: number, pointerType = 'mouse') => {
    send('pointerdown', x, pointerType);
    send('pointerup', x, pointerType);
  };
  return { element, calls, send, click };
}

describe('clicks', () => {
  test('a single click seeks after 425 ms and not before', () => {
    const { calls, click } = aWave();
    click(40);
    jest.advanceTimersByTime(SEEK_DELAY_MS - 1);
    expect(calls).toEqual([]);

    jest.advanceTimersByTime(1);
    expect(calls).toEqual(['seek 40']);
  });

  test('a double click does not seek', () => {
    const { calls, click } = aWave();
    click(40);
    jest.advanceTimersByTime(200);
    click(40);
    jest.advanceTimersByTime(2_000);

    expect(calls).toEqual(['double 40']);
  });

  test('a tap with a finger is a click too', () => {
    const { calls, click } = aWave();
    click(40, 'touch');
    jest.advanceTimersByTime(SEEK_DELAY_MS);

    expect(calls).toEqual(['seek 40']);
  });
});

describe('drawing', () => {
  test('a drag in either direction draws and does not seek', () => {
    const { calls, send } = aWave();
    send('pointerdown', 50);
    send('pointermove', 52);
    send('pointermove', 30);
    send('pointerup', 20);
    jest.advanceTimersByTime(2_000);

    expect(calls).toEqual(['draw 30-50', 'drawn 20-50']);
  });

  test('a drag by a user who may not draw seeks', () => {
    const { calls, send } = aWave({ mayDraw: false });
    send('pointerdown', 50);
    send('pointermove', 90);
    send('pointerup', 90);
    jest.advanceTimersByTime(2_000);

    expect(calls).toEqual(['seek 90']);
  });

  test('a drag that ends where it started is cancelled', () => {
    const { calls, send } = aWave();
    send('pointerdown', 50);
    send('pointermove', 90);
    send('pointerup', 50);

    expect(calls).toEqual(['draw 50-90', 'cancel']);
  });

  test('a finger draws after a hold of 383 ms, whatever the screen', () => {
    const { calls, send } = aWave();
    expect(HOLD_MS).toBe(383);
    send('pointerdown', 50, 'touch');
    jest.advanceTimersByTime(HOLD_MS - 1);
    expect(calls).toEqual([]);

    jest.advanceTimersByTime(1);
    send('pointermove', 90, 'touch');
    send('pointerup', 95, 'touch');
    expect(calls).toEqual(['draw 50-50', 'draw 50-90', 'drawn 50-95']);
  });

  test('a finger that moves earlier scrolls', () => {
    const { calls, send } = aWave();
    send('pointerdown', 50, 'touch');
    send('pointermove', 80, 'touch');
    jest.advanceTimersByTime(HOLD_MS * 2);
    send('pointercancel', 80, 'touch');
    jest.advanceTimersByTime(2_000);

    expect(calls).toEqual([]);
  });

  test('a second finger ends the hold, because it zooms', () => {
    const { element, calls, send } = aWave();
    send('pointerdown', 50, 'touch');
    element.dispatchEvent(new PointerEvent('pointerdown', { clientX: 90, pointerType: 'touch', isPrimary: false, button: 0 }));
    jest.advanceTimersByTime(HOLD_MS);
    expect(calls).toEqual([]);
  });

  test('a finger pans the page until it draws', () => {
    const { element, send } = aWave();
    const pans = () => element.dispatchEvent(new Event('touchmove', { cancelable: true }));
    send('pointerdown', 50, 'touch');
    expect(pans()).toBe(true);

    jest.advanceTimersByTime(HOLD_MS);
    expect(pans()).toBe(false);
  });
});
