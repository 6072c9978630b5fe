import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createScroller, type AutoScroll, type Scroller, type ScrollSignal } from './scroller';
import { type Span, type TimeScale, timeScale, toZoomStep, ZOOM_STEP, zoomFor } from './time-scale';
import { TILE_WIDTH } from './wave-tiles';

/** On narrower screens the wave is twice as wide as the screen, and scrolls. */
const NARROW_PX = 768;
const NARROW_FACTOR = 2;
/** Where a revealed time is placed, as a fraction of the visible width. */
const REVEALED_AT = 0.3;

/** The geometry that every layer over the wave is drawn with. */
export interface WaveView {
  readonly scale: TimeScale;
  /** Visible width of the track in CSS pixels. */
  readonly visibleWidth: number;
  /** The drawn span: the visible part with a margin on both sides. */
  readonly renderedSpan: Span;
  readonly scroll: ScrollSignal;
  /** Zooms and scrolls so that the span fills up to two thirds of the visible width. */
  readonly zoomTo: (span: Span) => void;
  /** Scrolls only if the time is not visible. */
  readonly reveal: (seconds: number) => void;
}

export interface TrackView extends WaveView {
  readonly zoom: number;
  /** @param at the time that keeps its place on the screen; by default the middle */
  readonly setZoom: (zoom: number, at?: number) => void;
  readonly scrollTo: (left: number) => void;
  readonly autoScroll: AutoScroll;
}

/** Starts with the page's width, which the track fills, to avoid a second layout. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() => document.documentElement.clientWidth);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function useScroller(viewport: RefObject<HTMLElement | null>): Scroller {
  const [scroller] = useState(createScroller);
  useLayoutEffect(() => (viewport.current ? scroller.attach(viewport.current) : undefined), [viewport, scroller]);
  return scroller;
}

interface Anchor {
  readonly seconds: number;
  readonly x: number;
}

interface Zooming extends Pick<TrackView, 'scale' | 'zoom' | 'setZoom' | 'zoomTo'> {}

/** Zooms around a time that keeps its place on the screen. */
function useZooming(duration: number, visibleWidth: number, { signal, scrollTo, autoScroll }: Scroller): Zooming {
  const [zoom, setZoomStep] = useState(0);
  const anchor = useRef<Anchor | null>(null);
  const whole = visibleWidth > 0 && visibleWidth < NARROW_PX ? visibleWidth * NARROW_FACTOR : visibleWidth;
  const scale = useMemo(() => timeScale(duration, whole, zoom), [duration, whole, zoom]);

  // Before the browser paints, so that the time under the pointer does not move.
  useLayoutEffect(() => {
    if (anchor.current) scrollTo(scale.toX(anchor.current.seconds) - anchor.current.x);
    anchor.current = null;
  }, [scale, scrollTo]);

  const setZoom = useCallback(
    (next: number, at?: number) => {
      const seconds = at ?? scale.toTime(signal.get() + visibleWidth / 2);
      anchor.current = { seconds, x: scale.toX(seconds) - signal.get() };
      setZoomStep(toZoomStep(next));
    },
    [scale, signal, visibleWidth],
  );

  const zoomTo = useCallback(
    (span: Span) => {
      const next = zoomFor(span, duration, { whole, visibleWidth });
      const { pxPerSecond } = timeScale(duration, whole, next);
      const free = visibleWidth - (span.end - span.start) * pxPerSecond;
      autoScroll.set(false);
      if (next === zoom) return scrollTo(span.start * pxPerSecond - free / 2);
      anchor.current = { seconds: span.start, x: free / 2 };
      setZoomStep(next);
    },
    [duration, whole, visibleWidth, zoom, scrollTo, autoScroll],
  );
  return { scale, zoom, setZoom, zoomTo };
}

/**
 * Zoom and scroll state of one track, and the geometry derived from it.
 * @param viewport the scrolling element
 */
export function useTrackView(viewport: RefObject<HTMLDivElement | null>, duration: number): TrackView {
  const visibleWidth = useWidth(viewport);
  const scroller = useScroller(viewport);
  const { signal: scroll, scrollTo, autoScroll } = scroller;
  const { scale, zoom, setZoom, zoomTo } = useZooming(duration, visibleWidth, scroller);

  const reveal = useCallback(
    (seconds: number) => {
      const x = scale.toX(seconds) - scroll.get();
      if (x < 0 || x > visibleWidth) scrollTo(scale.toX(seconds) - visibleWidth * REVEALED_AT);
    },
    [scale, scroll, visibleWidth, scrollTo],
  );
  // Changes per tile, not per pixel.
  const firstTile = useSyncExternalStore(scroll.subscribe, () => Math.floor(scroll.get() / TILE_WIDTH) * TILE_WIDTH);
  const renderedSpan = useMemo<Span>(
    () => ({ start: scale.toTime(firstTile - TILE_WIDTH), end: scale.toTime(firstTile + visibleWidth + 2 * TILE_WIDTH) }),
    [scale, firstTile, visibleWidth],
  );
  useCtrlWheel(viewport, { scale, zoom, setZoom });

  return useMemo(
    () => ({ scale, visibleWidth, renderedSpan, scroll, zoom, setZoom, zoomTo, reveal, scrollTo, autoScroll }),
    [scale, visibleWidth, renderedSpan, scroll, zoom, setZoom, zoomTo, reveal, scrollTo, autoScroll],
  );
}

/** Zooms around the pointer on Ctrl+wheel, which is also how browsers report a touchpad pinch. */
function useCtrlWheel(viewport: RefObject<HTMLDivElement | null>, { scale, zoom, setZoom }: Pick<TrackView, 'scale' | 'zoom' | 'setZoom'>): void {
  useEffect(() => {
    const { current } = viewport;
    if (!current) return undefined;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const x = event.clientX - current.getBoundingClientRect().left + current.scrollLeft;
      setZoom(zoom - Math.sign(event.deltaY) * ZOOM_STEP, scale.toTime(x));
    };
    current.addEventListener('wheel', onWheel, { passive: false });
    return () => current.removeEventListener('wheel', onWheel);
  }, [viewport, scale, zoom, setZoom]);
}
