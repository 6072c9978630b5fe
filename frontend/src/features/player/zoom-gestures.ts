export interface ZoomGestures {
  /** Zooms by a factor around a horizontal position, for as long as the gesture lasts. */
  readonly onZoom: (factor: number, clientX: number) => void;
  /** Zooms by steps: a turn of a mouse wheel by one notch. */
  readonly onStep: (steps: 1 | -1, clientX: number) => void;
  /** The gesture is over. */
  readonly onEnd: (clientX: number) => void;
}

/** A mouse wheel moves by at least this per notch, a touchpad by much less per event. */
const NOTCH_PX = 50;
/** Wheel distance of a touchpad pinch that zooms by e. */
const PINCH_PX = 100;
/** A touchpad pinch has no end of its own. */
const IDLE_MS = 150;

class ZoomWatcher {
  private factor = 1;
  private x = 0;
  private frame = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;
  /** Distance of two fingers; null for other touches. */
  private distance: number | null = null;

  constructor(private readonly gestures: () => ZoomGestures | null) {}

  /** At most once per frame, because each zoom draws the wave again. */
  private zoom(factor: number, clientX: number): void {
    this.factor *= factor;
    this.x = clientX;
    if (this.frame === 0) this.frame = requestAnimationFrame(this.apply);
  }

  private readonly apply = () => {
    const { factor } = this;
    this.factor = 1;
    this.frame = 0;
    this.gestures()?.onZoom(factor, this.x);
  };

  private readonly end = () => {
    if (this.frame !== 0) {
      cancelAnimationFrame(this.frame);
      this.apply();
    }
    this.gestures()?.onEnd(this.x);
  };

  /** With Ctrl or Cmd, which is also how browsers report a touchpad pinch. */
  readonly wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL || Math.abs(event.deltaY) >= NOTCH_PX) {
      this.gestures()?.onStep(event.deltaY < 0 ? 1 : -1, event.clientX);
      return;
    }
    this.zoom(Math.exp(-event.deltaY / PINCH_PX), event.clientX);
    clearTimeout(this.idle);
    this.idle = setTimeout(this.end, IDLE_MS);
  };

  readonly touch = (event: TouchEvent) => {
    const [one, other] = event.touches;
    if (!one || !other || event.touches.length > 2) {
      if (this.distance !== null) this.end();
      this.distance = null;
      return;
    }
    // Otherwise the browser zooms the page.
    if (event.cancelable) event.preventDefault();
    const distance = Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
    if (this.distance !== null) this.zoom(distance / this.distance, (one.clientX + other.clientX) / 2);
    this.distance = distance;
  };

  readonly stop = () => {
    clearTimeout(this.idle);
    cancelAnimationFrame(this.frame);
  };
}

/** Handles zooming with a wheel, a touchpad or two fingers. `gestures` is called on each event. @returns a function that stops */
export function watchZoom(element: HTMLElement, gestures: () => ZoomGestures | null): () => void {
  const controller = new AbortController();
  const watcher = new ZoomWatcher(gestures);
  const options = { signal: controller.signal, passive: false };
  element.addEventListener('wheel', watcher.wheel, options);
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) element.addEventListener(type, watcher.touch, options);
  return () => {
    controller.abort();
    watcher.stop();
  };
}
