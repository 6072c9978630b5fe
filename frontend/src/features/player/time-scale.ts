/** A part of a track, in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How seconds lie on the track's pixels: what every layer over the wave is drawn with. */
export interface TimeScale {
  readonly duration: number;
  /** The whole track in CSS pixels. */
  readonly width: number;
  readonly pxPerSecond: number;
  readonly toX: (seconds: number) => number;
  /** Kept within the track. */
  readonly toTime: (x: number) => number;
}

export const ZOOM_STEP = 5;
export const ZOOM_MAX = 100;
/** What zoom 100 shows: close enough to see single drum hits. */
const CLOSEST_PX_PER_SECOND = 200;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** The nearest step of 5 between 0 and 100. */
export const toZoomStep = (zoom: number): number => clamp(Math.round(zoom / ZOOM_STEP) * ZOOM_STEP, 0, ZOOM_MAX);

/** How many times wider than all of it a zoom makes the track; each step multiplies by the same factor. */
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

/** Pixels of the whole track at zoom 0, and of what is seen at once. */
export interface Widths {
  readonly whole: number;
  readonly seen: number;
}

/** The closest zoom step at which a span fills at most two thirds of what is seen. */
export function zoomFor(span: Span, duration: number, { whole, seen }: Widths): number {
  for (let zoom = ZOOM_MAX; zoom > 0; zoom -= ZOOM_STEP) {
    if ((span.end - span.start) * timeScale(duration, whole, zoom).pxPerSecond <= (seen * 2) / 3) return zoom;
  }
  return 0;
}

const TICK_SECONDS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800];
const LABEL_ROOM_PX = 88;
const MINOR_TICKS = 5;

export interface RulerTicks {
  /** Seconds from one written tick to the next. */
  readonly major: number;
  readonly minor: number;
}

/** Round seconds, far enough apart that the figures do not touch. */
export function rulerTicks(pxPerSecond: number): RulerTicks {
  const major = TICK_SECONDS.find((seconds) => seconds * pxPerSecond >= LABEL_ROOM_PX) ?? 3_600;
  return { major, minor: major / MINOR_TICKS };
}

/** The moments in a stretch of the track that get a figure. */
export function ticksWithin(stretch: Span, major: number): readonly number[] {
  const first = Math.max(0, Math.ceil(stretch.start / major));
  const last = Math.floor(stretch.end / major);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * major);
}
