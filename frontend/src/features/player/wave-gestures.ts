import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { Span } from '../../shared/wave/span';

/** Delay before a click seeks, because a second click makes it a double click. */
export const SEEK_DELAY_MS = 425;
/** How long a finger must be held before it draws: 23 frames of a 60 Hz screen. Time, because screens differ in frames per second. */
export const HOLD_MS = Math.round((23 / 60) * 1_000);
/** Pointer movement to ignore, in pixels. */
const STILL_PX = 5;

/** Called while the user draws a region on the wave. */
export interface DrawHandlers {
  readonly onDraw: (span: Span) => void;
  readonly onDrawn: (span: Span) => void;
  readonly onCancel: () => void;
}

export interface WaveGestures {
  /** The time at a horizontal position. */
  readonly timeAt: (clientX: number) => number;
  readonly onClick: (seconds: number) => void;
  readonly onDoubleClick: (seconds: number) => void;
  /** null if the viewer may not draw. */
  readonly draw: DrawHandlers | null;
}

/** Distinguishes single from double clicks by waiting `SEEK_DELAY_MS` after the first. */
export function clickOrDoubleClick(onClick: (seconds: number) => void, onDouble: (seconds: number) => void) {
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const stop = () => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  return {
    click: (seconds: number) => {
      if (waiting !== null) {
        stop();
        return onDouble(seconds);
      }
      waiting = setTimeout(() => {
        waiting = null;
        onClick(seconds);
      }, SEEK_DELAY_MS);
    },
    stop,
  };
}

export const spanBetween = (one: number, other: number): Span => ({ start: Math.min(one, other), end: Math.max(one, other) });
const isLongEnough = (span: Span) => span.end - span.start >= LIMITS.shortestRegionSeconds;

type Mode = 'idle' | 'pressed' | 'holding' | 'drawing';

class WaveWatcher {
  private mode: Mode = 'idle';
  private pressedAt = { x: 0, y: 0 };
  private readonly clicks = clickOrDoubleClick(
    (seconds) => this.gestures().onClick(seconds),
    (seconds) => this.gestures().onDoubleClick(seconds),
  );
  private hold: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly gestures: () => WaveGestures,
  ) {}

  private spanTo(clientX: number): Span {
    const { timeAt } = this.gestures();
    return spanBetween(timeAt(this.pressedAt.x), timeAt(clientX));
  }

  private readonly onHeld = () => {
    this.mode = 'drawing';
    this.gestures().draw?.onDraw(this.spanTo(this.pressedAt.x));
  };

  private end(): Mode {
    const was = this.mode;
    clearTimeout(this.hold);
    this.mode = 'idle';
    return was;
  }

  readonly press = (event: PointerEvent) => {
    // A second finger zooms.
    if (!event.isPrimary) this.cancel();
    if (event.button !== 0 || !event.isPrimary) return;
    this.pressedAt = { x: event.clientX, y: event.clientY };
    if (event.pointerType === 'touch') {
      this.mode = 'holding';
      if (this.gestures().draw) this.hold = setTimeout(this.onHeld, HOLD_MS);
      return;
    }
    this.mode = 'pressed';
    this.element.setPointerCapture?.(event.pointerId);
  };

  readonly move = (event: PointerEvent) => {
    const moved = Math.hypot(event.clientX - this.pressedAt.x, event.clientY - this.pressedAt.y) > STILL_PX;
    const { draw } = this.gestures();
    if (this.mode === 'holding' && moved) this.end();
    if (this.mode === 'pressed' && moved && draw) this.mode = 'drawing';
    if (this.mode === 'drawing') draw?.onDraw(this.spanTo(event.clientX));
  };

  readonly release = (event: PointerEvent) => {
    const was = this.end();
    if (was === 'pressed' || was === 'holding') return this.clicks.click(this.gestures().timeAt(event.clientX));
    if (was !== 'drawing') return undefined;
    const span = this.spanTo(event.clientX);
    return isLongEnough(span) ? this.gestures().draw?.onDrawn(span) : this.gestures().draw?.onCancel();
  };

  readonly cancel = () => {
    if (this.end() === 'drawing') this.gestures().draw?.onCancel();
  };

  /** Blocks panning while a finger draws. */
  readonly pan = (event: Event) => {
    if (this.mode === 'drawing') event.preventDefault();
  };

  /** Blocks the context menu of a long press. */
  readonly suppressMenu = (event: Event) => {
    if (this.mode === 'holding' || this.mode === 'drawing') event.preventDefault();
  };

  readonly stop = () => {
    this.clicks.stop();
    clearTimeout(this.hold);
  };
}

/** Handles clicks, double clicks, drags and holds on the wave. `gestures` is called on each event. @returns a function that stops */
export function watchWave(element: HTMLElement, gestures: () => WaveGestures): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const watcher = new WaveWatcher(element, gestures);
  element.addEventListener('pointerdown', watcher.press, { signal });
  element.addEventListener('pointermove', watcher.move, { signal });
  element.addEventListener('pointerup', watcher.release, { signal });
  element.addEventListener('pointercancel', watcher.cancel, { signal });
  element.addEventListener('touchmove', watcher.pan, { signal, passive: false });
  element.addEventListener('contextmenu', watcher.suppressMenu, { signal });
  return () => {
    controller.abort();
    watcher.stop();
  };
}
