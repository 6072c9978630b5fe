import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { useLayoutEffect, useRef } from 'react';
import { type TrackView, useTrackView } from './use-track-view';

const real = globalThis.ResizeObserver;
let width: number;
let resized: Set<() => void>;

beforeEach(() => {
  width = 1_000;
  resized = new Set();
  globalThis.ResizeObserver = class implements ResizeObserver {
    private readonly notify: () => void;
    constructor(callback: ResizeObserverCallback) {
      this.notify = () => callback([], this);
    }
    readonly observe = () => void resized.add(this.notify);
    readonly unobserve = () => void resized.delete(this.notify);
    readonly disconnect = () => void resized.delete(this.notify);
  };
});
afterEach(() => {
  globalThis.ResizeObserver = real;
});

/** The view of a track of 100 s on a wave of 1,000 px. */
function open() {
  const shown: { view: TrackView | null } = { view: null };
  function Wave() {
    const viewport = useRef<HTMLDivElement>(null);
    const view = useTrackView(viewport, 100);
    useLayoutEffect(() => {
      shown.view = view;
    });
    const measured = (element: HTMLDivElement | null) => {
      viewport.current = element;
      if (element) Object.defineProperty(element, 'clientWidth', { configurable: true, get: () => width });
    };
    return <div ref={measured} />;
  }
  render(<Wave />);
  const now = (): TrackView => {
    if (shown.view === null) throw new Error('the wave is rendered');
    return shown.view;
  };
  const resize = (to: number) =>
    act(() => {
      width = to;
      for (const callback of resized) callback();
    });
  return { now, resize };
}

test('a zoom keeps a time in its place', () => {
  const { now } = open();
  act(() => now().setZoom(50, 40));
  expect(now().scale.toX(40) - now().scroll.get()).toBeCloseTo(400);
});

test.each([
  ['closest', 100, 105],
  ['widest', 0, -5],
])('zooming beyond the %s zoom does not move the wave at the next resize', (_which, limit, beyond) => {
  const { now, resize } = open();
  act(() => now().setZoom(limit, 40));
  act(() => now().scrollTo(300));
  act(() => now().setZoom(beyond, 80));
  act(() => now().scrollTo(500));
  resize(900);
  expect([now().scale.width, now().scroll.get()]).toEqual([limit === 0 ? 900 : 20_000, 500]);
});
