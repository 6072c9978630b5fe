import type { Span } from '../../shared/wave/span';

/** Maps seconds to pixels of the track, for every layer over the wave. */
export interface TimeScale {
  readonly duration: number;
  /** The whole track in CSS pixels. */
  readonly width: number;
  readonly pxPerSecond: number;
  readonly toX: (seconds: number) => number;
  /** Clamped to the track. */
  readonly toTime: (x: number) => number;
}

export const ZOOM_STEP = 5;
export const ZOOM_MAX = 100;
/** At zoom 100: close enough to see single drum hits. */
const CLOSEST_PX_PER_SECOND = 200;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** The nearest step of 5 between 0 and 100. */
export const toZoomStep = (zoom: number): number => clamp(Math.round(zoom / ZOOM_STEP) * ZOOM_STEP, 0, ZOOM_MAX);

/** The zoom at which the track is wider by a factor; not rounded to a step during a gesture. */
export function zoomAfter(zoom: number, factor: number, fitted: number): number {
  const most = CLOSEST_PX_PER_SECOND / fitted;
  return most > 1 ? clamp(zoom + (ZOOM_MAX * Math.log(factor)) / Math.log(most), 0, ZOOM_MAX) : 0;
}

/** Width of the track at a zoom relative to zoom 0; each step multiplies by the same factor. */
const factorOf = (zoom: number, fitted: number): number => Math.max(1, CLOSEST_PX_PER_SECOND / fitted) ** (zoom / ZOOM_MAX);

/**
 * @param duration seconds
 * @param wholeWidth pixels of the whole track at zoom 0
 */
export function timeScale(duration: number, wholeWidth: number, zoom: number): TimeScale {
  const known = duration > 0 && wholeWidth > 0;
  const fitted = known ? wholeWidth / duration : 0;
  const width = known ? Math.round(wholeWidth * factorOf(zoom, fitted)) : Math.max(0, wholeWidth);
  const pxPerSecond = known ? width / duration : 0;
  return {
    duration,
    width,
    pxPerSecond,
    toX: (seconds) => seconds * pxPerSecond,
    toTime: (x) => (pxPerSecond > 0 ? clamp(x / pxPerSecond, 0, duration) : 0),
  };
}

/** Pixels of the whole track at zoom 0, and of its visible part. */
export interface Widths {
  readonly whole: number;
  readonly visibleWidth: number;
}

/** The closest zoom step at which a span fills at most two thirds of the visible width. */
export function zoomFor(span: Span, duration: number, { whole, visibleWidth }: Widths): number {
  for (let zoom = ZOOM_MAX; zoom > 0; zoom -= ZOOM_STEP) {
    if ((span.end - span.start) * timeScale(duration, whole, zoom).pxPerSecond <= (visibleWidth * 2) / 3) return zoom;
  }
  return 0;
}

const TICK_SECONDS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800];
const LABEL_ROOM_PX = 88;
const MINOR_TICKS = 5;

export interface RulerTicks {
  /** Seconds between labelled ticks. */
  readonly major: number;
  readonly minor: number;
}

/** Round intervals, far enough apart that the labels do not overlap. */
export function rulerTicks(pxPerSecond: number): RulerTicks {
  const major = TICK_SECONDS.find((seconds) => seconds * pxPerSecond >= LABEL_ROOM_PX) ?? 3_600;
  return { major, minor: major / MINOR_TICKS };
}

/** The times of labelled ticks within a span. */
export function ticksWithin(span: Span, major: number): readonly number[] {
  const first = Math.max(0, Math.ceil(span.start / major));
  const last = Math.floor(span.end / major);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * major);
}
