import WaveSurfer, { type WaveSurferOptions } from 'wavesurfer.js';
import { columnsOf, type TimedPeaks } from './peaks';
import { onPixel, type WaveColours } from './wave-drawing';
import { drawLayer, extremes, type Fold, layersOf, power } from './whole-wave-layers';

/** Free space above and below full scale, in CSS pixels: for the playhead’s ends to show. */
const MARGIN_PX = 4;
const CURSOR_PX = 1.5;
const SILENCE = [[0], [0]];

/** wavesurfer reads its playhead from a media element. A wave without one needs none of its own, so lists share this. */
let idleMedia: HTMLAudioElement | null = null;
const sharedIdleMedia = (): HTMLAudioElement => (idleMedia ??= document.createElement('audio'));

/** Everything that determines how the overview looks. */
export interface WholeTrack {
  /** Seconds; 0 without a track. */
  readonly duration: number;
  /** null: draw only the playhead. */
  readonly peaks: TimedPeaks | null;
  readonly colours: WaveColours;
  /** Device pixels per CSS pixel. */
  readonly density: number;
}

export interface WholeTrackWave {
  readonly show: (track: WholeTrack) => void;
  /** Moves the playhead, unless by less than a device pixel. */
  readonly moveTo: (seconds: number) => void;
  readonly destroy: () => void;
}

function channelsOf({ peaks }: WholeTrack) {
  if (!peaks || peaks.data.columns === 0) return SILENCE;
  const { columns } = peaks.data;
  return [...layersOf(columnsOf(peaks, { start: 0, end: columns / peaks.columnsPerSecond }, columns))];
}

/**
 * Replaces style elements in wavesurfer's shadow root by adopted sheets, because the content security policy blocks such elements.
 * The policy applies once they are attached, so call this before the root is.
 */
function adoptStyles(root: Node): void {
  if (!(root instanceof ShadowRoot)) return;
  for (const element of root.querySelectorAll('style')) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(element.textContent);
    root.adoptedStyleSheets.push(sheet);
    element.remove();
  }
}

class Surfer implements WholeTrackWave {
  private readonly holder = document.createElement('div');
  private readonly surfer: WaveSurfer;
  private track: WholeTrack | null = null;
  private seconds = 0;
  private width = 0;
  private placedAt = -1;

  constructor(
    container: HTMLElement,
    private readonly hasPlayhead: boolean,
  ) {
    this.holder.className = 'whole-wave';
    // The overview handles seeking and dragging itself, even before peaks are loaded.
    const fixed = { container: this.holder, height: 'auto', interact: false } as const;
    this.surfer = WaveSurfer.create(hasPlayhead ? { ...fixed, cursorWidth: CURSOR_PX } : { ...fixed, cursorWidth: 0, media: sharedIdleMedia() });
    adoptStyles(this.surfer.getWrapper().getRootNode());
    this.surfer.on('redrawcomplete', this.onDrawn);
    container.append(this.holder);
  }

  readonly show = (track: WholeTrack) => {
    const before = this.track;
    this.track = track;
    const { colours, peaks, duration, density } = track;
    if (before?.colours !== colours || before.density !== density) this.surfer.setOptions(this.optionsOf(colours));
    if (before?.peaks === peaks && before.duration === duration) return;
    // Nothing is fetched without a URL; it rejects only when superseded or destroyed.
    this.surfer.load('', channelsOf(track), duration > 0 ? duration : 1).catch(() => undefined);
  };

  readonly moveTo = (seconds: number) => {
    this.seconds = seconds;
    this.place();
  };

  readonly destroy = () => {
    this.surfer.destroy();
    this.holder.remove();
  };

  /** Peak envelope and RMS body are overlaid channels, so that each has its own played colour. */
  private optionsOf({ unplayed, played, cursor }: WaveColours): Partial<WaveSurferOptions> {
    const layer = (waveColor: string, progressColor: string, fold: Fold) => ({
      overlay: true,
      waveColor,
      progressColor,
      renderFunction: this.drawingOf(fold),
    });
    return {
      cursorColor: cursor,
      splitChannels: [layer(unplayed.peakEnvelope, played.peakEnvelope, extremes), layer(unplayed.rmsBody, played.rmsBody, power)],
    };
  }

  private readonly drawingOf =
    (fold: Fold): NonNullable<WaveSurferOptions['renderFunction']> =>
    ([pairs], context) => {
      const { width, height } = context.canvas;
      const { peaks, duration } = this.track ?? { peaks: null, duration: 0 };
      if (!pairs || !peaks) return;
      const margin = this.hasPlayhead ? MARGIN_PX / this.holder.clientHeight : 0;
      const reach = height * (0.5 - margin);
      drawLayer(context, { pairs, fold, columns: duration * peaks.columnsPerSecond }, { width, height, reach });
    };

  private readonly onDrawn = () => {
    this.width = this.surfer.getWidth();
    this.placedAt = -1;
    this.holder.classList.toggle('is-drawn', (this.track?.peaks ?? null) !== null);
    this.place();
  };

  private place() {
    const { track, width } = this;
    if (!track || width === 0 || track.duration <= 0) return;
    // At the end of the track, keep the playhead within the visible width.
    const x = Math.min(onPixel((this.seconds / track.duration) * width, track.density), width - CURSOR_PX);
    if (x === this.placedAt) return;
    this.placedAt = x;
    this.surfer.setTime((x / width) * track.duration);
  }
}

/** Draws the whole track with wavesurfer.js. What we draw ourselves: docs/adr/0007-waveform-drawing.md. */
export const createWholeTrackWave = (container: HTMLElement, hasPlayhead: boolean): WholeTrackWave => new Surfer(container, hasPlayhead);
