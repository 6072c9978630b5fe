import { columnsOf, endOf, type TimedPeaks } from '../../shared/wave/peaks';
import type { TimeScale } from './time-scale';
import type { Span } from '../../shared/wave/span';
import { type DrawnMark, drawWave, onPixel, type WaveColours, runsOf, type WaveMark } from '../../shared/wave/wave-drawing';

/** CSS pixels: a tile needs little memory, and a screen few tiles. */
export const TILE_WIDTH = 512;

/** Everything that determines how the wave looks. */
export interface WaveScene {
  readonly scale: TimeScale;
  readonly height: number;
  readonly peaks: TimedPeaks | null;
  readonly marks: readonly WaveMark[];
  readonly selectedMarkId: string | null;
  readonly colours: WaveColours;
  /** Device pixels per CSS pixel. */
  readonly density: number;
  /** Free space above and below full scale, as a fraction of the height. */
  readonly margin: number;
}

/** The tiles that intersect a span of the track. */
export function tilesWithin(left: number, width: number, trackWidth: number): readonly number[] {
  const from = Math.max(0, Math.floor(left / TILE_WIDTH));
  const until = Math.ceil(Math.min(left + width, trackWidth) / TILE_WIDTH);
  return Array.from({ length: Math.max(0, until - from) }, (_, at) => from + at);
}

type SceneBase = Omit<WaveScene, 'marks' | 'selectedMarkId'>;
const sameBase = (one: SceneBase, other: SceneBase): boolean =>
  one.scale === other.scale &&
  one.height === other.height &&
  one.peaks === other.peaks &&
  one.colours === other.colours &&
  one.density === other.density &&
  one.margin === other.margin;

const sameMarks = (some: readonly DrawnMark[], others: readonly DrawnMark[]): boolean =>
  some.length === others.length &&
  some.every(({ id, start, end, category, isSelected }, at) => {
    const other = others[at];
    return other?.id === id && other.start === start && other.end === end && other.category === category && other.isSelected === isSelected;
  });

/** The part of a span before the end of the peaks, and how many of its columns that is: a shorter version ends before the time axis. */
export function coveredPart(span: Span, columns: number, end: number): readonly [part: Span, columns: number] {
  const step = (span.end - span.start) / Math.max(1, columns);
  const count = Math.min(columns, Math.max(0, Math.ceil((end - span.start) / step)));
  return [{ start: span.start, end: span.start + count * step }, count];
}

/** A tile with one canvas unplayed and one played, each drawn when it first becomes visible. */
class Tile {
  private readonly unplayed = document.createElement('canvas');
  private readonly played = document.createElement('canvas');
  private readonly drawn = new Set<HTMLCanvasElement>();
  private marks: readonly DrawnMark[] = [];
  private clippedAt = -1;

  constructor(
    private readonly index: number,
    private scene: WaveScene,
  ) {
    this.take(scene);
  }

  private get left(): number {
    return this.index * TILE_WIDTH;
  }
  private get width(): number {
    return Math.min(TILE_WIDTH, this.scene.scale.width - this.left);
  }
  private get span(): Span {
    const { pxPerSecond } = this.scene.scale;
    return { start: this.left / pxPerSecond, end: (this.left + this.width) / pxPerSecond };
  }

  /** Sets the scene, and invalidates the canvases if they would look different. */
  take(scene: WaveScene): void {
    const isSameBase = this.drawn.size > 0 && sameBase(this.scene, scene);
    this.scene = scene;
    const { start, end } = this.span;
    const marks = scene.marks.filter((mark) => mark.start < end && mark.end > start).map((mark) => ({ ...mark, isSelected: mark.id === scene.selectedMarkId }));
    if (isSameBase && sameMarks(this.marks, marks)) return;
    this.marks = marks;
    this.drawn.clear();
  }

  appendTo(container: HTMLElement): void {
    container.append(this.unplayed, this.played);
  }

  remove(): void {
    this.unplayed.remove();
    this.played.remove();
  }

  /** Shows the played canvas up to the playhead and the unplayed one after it, clipped at a device pixel. */
  clipAt(playhead: number): void {
    const { width } = this;
    const x = Math.min(Math.max(onPixel(playhead, this.scene.density) - this.left, 0), width);
    if (x === this.clippedAt && this.drawn.size > 0) return;
    this.clippedAt = x;
    const isClipped = x > 0 && x < width;
    this.show(this.unplayed, x < width, isClipped ? `inset(0 0 0 ${x}px)` : '');
    this.show(this.played, x > 0, isClipped ? `inset(0 ${width - x}px 0 0)` : '');
  }

  private show(canvas: HTMLCanvasElement, isVisible: boolean, clip: string): void {
    if (isVisible && !this.drawn.has(canvas)) this.draw(canvas);
    canvas.style.visibility = isVisible ? 'visible' : 'hidden';
    canvas.style.clipPath = clip;
  }

  private draw(canvas: HTMLCanvasElement): void {
    const { height, density, peaks, colours, margin } = this.scene;
    this.drawn.add(canvas);
    // Setting its size clears a canvas.
    canvas.width = Math.round(this.width * density);
    canvas.height = Math.round(height * density);
    canvas.style.cssText = `position:absolute;top:0;left:${this.left}px;width:${this.width}px;height:${height}px`;
    const context = canvas.getContext('2d');
    if (!peaks || !context) return;
    const [span, count] = coveredPart(this.span, canvas.width, endOf(peaks));
    const columns = columnsOf(peaks, span, count);
    const runs = runsOf(this.marks, span, count);
    const box = { height: canvas.height, reach: canvas.height * (0.5 - margin) };
    drawWave(context, { columns, runs, box, colours, isPlayed: canvas === this.played });
  }
}

/** CSS pixels of the track. */
export interface WaveWindow {
  readonly left: number;
  readonly width: number;
  readonly playhead: number;
}

export interface WaveTiles {
  /** Draws a part of the track, reusing tiles that would look the same. */
  readonly draw: (scene: WaveScene, part: WaveWindow) => void;
  readonly moveTo: (playhead: number) => void;
}

/** Draws a track of any length in tiles, only around the visible part. Why not wavesurfer.js: docs/adr/0007-waveform-drawing.md. */
export function createWaveTiles(container: HTMLElement): WaveTiles {
  const tiles = new Map<number, Tile>();

  const removeTilesExcept = (wanted: ReadonlySet<number>) => {
    for (const [index, tile] of tiles) {
      if (wanted.has(index)) continue;
      tile.remove();
      tiles.delete(index);
    }
  };
  const tileAt = (index: number, scene: WaveScene): Tile => {
    const known = tiles.get(index);
    known?.take(scene);
    if (known) return known;
    const tile = new Tile(index, scene);
    tile.appendTo(container);
    tiles.set(index, tile);
    return tile;
  };

  return {
    draw: (scene, { left, width, playhead }) => {
      const wanted = new Set(scene.peaks && scene.scale.pxPerSecond > 0 ? tilesWithin(left, width, scene.scale.width) : []);
      removeTilesExcept(wanted);
      for (const index of wanted) tileAt(index, scene).clipAt(playhead);
    },
    moveTo: (playhead) => {
      for (const tile of tiles.values()) tile.clipAt(playhead);
    },
  };
}
