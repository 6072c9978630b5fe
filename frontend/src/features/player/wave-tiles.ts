import { columnsOf, type TimedPeaks } from './peaks';
import type { Span, TimeScale } from './time-scale';
import { drawWave, type Inks, runsOf, type WaveMark } from './wave-ink';

/** CSS pixels. Narrow enough that a tile costs little memory, wide enough that a screen has few. */
export const TILE_WIDTH = 512;

/** Everything that a drawing of the wave follows from. */
export interface WaveScene {
  readonly scale: TimeScale;
  readonly height: number;
  readonly peaks: TimedPeaks | null;
  readonly marks: readonly WaveMark[];
  readonly inks: Inks;
  /** Device pixels in a CSS pixel. */
  readonly density: number;
  /** How much of the height is left free above and below full scale, of 1. */
  readonly margin: number;
}

interface Tile {
  readonly left: number;
  readonly width: number;
  readonly rest: HTMLCanvasElement;
  readonly played: HTMLCanvasElement;
}

/** The tiles that a window of the track touches, with one more on each side so that scrolling finds them drawn. */
export function tilesWithin(left: number, width: number, trackWidth: number): readonly number[] {
  const last = Math.max(0, Math.ceil(trackWidth / TILE_WIDTH) - 1);
  const from = Math.max(0, Math.floor(left / TILE_WIDTH) - 1);
  const to = Math.min(last, Math.floor((left + width) / TILE_WIDTH) + 1);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

function canvasAt(left: number, width: number, { height, density }: WaveScene): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.cssText = `position:absolute;top:0;left:${left}px;width:${width}px;height:${height}px`;
  return canvas;
}

function drawTile(index: number, scene: WaveScene, peaks: TimedPeaks): Tile {
  const left = index * TILE_WIDTH;
  const width = Math.min(TILE_WIDTH, scene.scale.width - left);
  const rest = canvasAt(left, width, scene);
  const played = canvasAt(left, width, scene);
  const stretch: Span = { start: left / scene.scale.pxPerSecond, end: (left + width) / scene.scale.pxPerSecond };
  const columns = columnsOf(peaks, stretch, rest.width);
  const runs = runsOf(scene.marks, stretch, rest.width);
  const box = { height: rest.height, reach: rest.height * (0.5 - scene.margin) };
  for (const canvas of [rest, played]) {
    const context = canvas.getContext('2d');
    if (context) drawWave(context, { columns, runs, box, inks: scene.inks, isPlayed: canvas === played });
  }
  return { left, width, rest, played };
}

/** Shows the played ink up to the playhead and the other from there on; only the tile under the playhead is cut. */
function cut({ left, width, rest, played }: Tile, playhead: number): void {
  const x = Math.min(Math.max(playhead - left, 0), width);
  rest.style.visibility = x < width ? 'visible' : 'hidden';
  played.style.visibility = x > 0 ? 'visible' : 'hidden';
  rest.style.clipPath = x > 0 && x < width ? `inset(0 0 0 ${x}px)` : '';
  played.style.clipPath = x > 0 && x < width ? `inset(0 ${width - x}px 0 0)` : '';
}

export interface WaveTiles {
  /** Draws what a window of the track shows; tiles of the same scene are kept. */
  readonly draw: (scene: WaveScene, left: number, width: number) => void;
  /** @param x the playhead in CSS pixels of the track */
  readonly moveTo: (x: number) => void;
}

/** Draws a track of any length into an element, never more of it than is seen. */
export function createWaveTiles(container: HTMLElement): WaveTiles {
  const tiles = new Map<number, Tile>();
  let drawn: WaveScene | null = null;
  let playhead = 0;

  const remove = (index: number, tile: Tile) => {
    tile.rest.remove();
    tile.played.remove();
    tiles.delete(index);
  };

  const add = (index: number, scene: WaveScene, peaks: TimedPeaks) => {
    const tile = drawTile(index, scene, peaks);
    cut(tile, playhead);
    container.append(tile.rest, tile.played);
    tiles.set(index, tile);
  };

  return {
    draw: (scene, left, width) => {
      const wanted = new Set(scene.peaks && scene.scale.pxPerSecond > 0 ? tilesWithin(left, width, scene.scale.width) : []);
      for (const [index, tile] of tiles) if (scene !== drawn || !wanted.has(index)) remove(index, tile);
      drawn = scene;
      if (scene.peaks) for (const index of wanted) if (!tiles.has(index)) add(index, scene, scene.peaks);
    },
    moveTo: (x) => {
      playhead = x;
      for (const tile of tiles.values()) cut(tile, x);
    },
  };
}
