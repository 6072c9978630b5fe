import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createScroller, type Scroller, type ScrollSignal } from './scroller';
import { type TimeScale, timeScale, toZoomStep, ZOOM_STEP, zoomAfter, zoomFor } from './time-scale';
import type { Span } from '../../shared/wave/span';
import { TILE_WIDTH } from './wave-tiles';
import { watchZoom, type ZoomGestures } from './zoom-gestures';

/** On narrower screens the wave is twice as wide as the screen, and scrolls. */
export const NARROW_PX = 768;
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
  readonly isFollowing: Scroller['isFollowing'];
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

interface Zooming extends Pick<TrackView, 'scale' | 'zoom' | 'setZoom' | 'zoomTo'> {
  /** Zooms by a factor around a time, without rounding to a step. */
  readonly zoomBy: (factor: number, at: number) => void;
  /** Rounds the zoom to the nearest step. */
  readonly endZooming: (at: number) => void;
}

/** Scrolls with the next zoom, so that a time stays at the same pixel. */
function useAnchor(scale: TimeScale, scrollTo: (left: number) => void): (anchor: Anchor) => void {
  const anchor = useRef<Anchor | null>(null);
  // Before the browser paints.
  useLayoutEffect(() => {
    if (anchor.current) scrollTo(scale.toX(anchor.current.seconds) - anchor.current.x);
    anchor.current = null;
  }, [scale, scrollTo]);
  return useCallback((next: Anchor) => void (anchor.current = next), []);
}

/** Zooms around a time that keeps its place on the screen. */
function useZooming(duration: number, visibleWidth: number, { signal, scrollTo, isFollowing }: Scroller): Zooming {
  const [zoom, setZoomLevel] = useState(0);
  const whole = visibleWidth > 0 && visibleWidth < NARROW_PX ? visibleWidth * NARROW_FACTOR : visibleWidth;
  const scale = useMemo(() => timeScale(duration, whole, zoom), [duration, whole, zoom]);

  const place = useAnchor(scale, scrollTo);
  /** The zoom of the next render. */
  const next = useRef(zoom);
  /** An anchor without a change of the zoom would be used by the next resize. */
  const zoomAt = useCallback(
    (to: number, anchor: Anchor) => {
      if (to === next.current) return;
      next.current = to;
      place(anchor);
      setZoomLevel(to);
    },
    [place],
  );
  const inPlace = useCallback((seconds: number): Anchor => ({ seconds, x: scale.toX(seconds) - signal.get() }), [scale, signal]);
  const setZoom = useCallback(
    (to: number, at?: number) => zoomAt(toZoomStep(to), inPlace(at ?? scale.toTime(signal.get() + visibleWidth / 2))),
    [zoomAt, inPlace, scale, signal, visibleWidth],
  );
  const zoomBy = (factor: number, at: number) => zoomAt(zoomAfter(next.current, factor, duration > 0 ? whole / duration : 0), inPlace(at));
  const endZooming = (at: number) => zoomAt(toZoomStep(next.current), inPlace(at));

  const zoomTo = useCallback(
    (span: Span) => {
      const to = zoomFor(span, duration, { whole, visibleWidth });
      const { pxPerSecond } = timeScale(duration, whole, to);
      const free = visibleWidth - (span.end - span.start) * pxPerSecond;
      isFollowing.set(false);
      if (to === next.current) scrollTo(span.start * pxPerSecond - free / 2);
      else zoomAt(to, { seconds: span.start, x: free / 2 });
    },
    [duration, whole, visibleWidth, zoomAt, scrollTo, isFollowing],
  );
  return { scale, zoom: toZoomStep(zoom), setZoom, zoomBy, endZooming, zoomTo };
}

/** Zooms around the pointer with a wheel, a touchpad or two fingers, and ends on a step. */
function useZoomGestures(viewport: RefObject<HTMLDivElement | null>, { scale, zoom, setZoom, zoomBy, endZooming }: Zooming, scroll: ScrollSignal): void {
  const timeAt = (clientX: number) => scale.toTime(clientX - (viewport.current?.getBoundingClientRect().left ?? 0) + scroll.get());
  const gestures = useRef<ZoomGestures | null>(null);
  useLayoutEffect(() => {
    gestures.current = {
      onZoom: (factor, clientX) => zoomBy(factor, timeAt(clientX)),
      onStep: (steps, clientX) => setZoom(zoom + steps * ZOOM_STEP, timeAt(clientX)),
      onEnd: (clientX) => endZooming(timeAt(clientX)),
    };
  });
  useEffect(() => (viewport.current ? watchZoom(viewport.current, () => gestures.current) : undefined), [viewport]);
}

/**
 * Zoom and scroll state of one track, and the geometry derived from it.
 * @param viewport the scrolling element
 */
export function useTrackView(viewport: RefObject<HTMLDivElement | null>, duration: number): TrackView {
  const visibleWidth = useWidth(viewport);
  const scroller = useScroller(viewport);
  const { signal: scroll, scrollTo, isFollowing } = scroller;
  const zooming = useZooming(duration, visibleWidth, scroller);
  const { scale, zoom, setZoom, zoomTo } = zooming;

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
  useZoomGestures(viewport, zooming, scroll);

  return useMemo(
    () => ({ scale, visibleWidth, renderedSpan, scroll, zoom, setZoom, zoomTo, reveal, scrollTo, isFollowing }),
    [scale, visibleWidth, renderedSpan, scroll, zoom, setZoom, zoomTo, reveal, scrollTo, isFollowing],
  );
}
