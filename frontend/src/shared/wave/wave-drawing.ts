import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';
import { GROUP_REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import type { Columns } from './peaks';
import type { Span } from './span';

/** A span of the wave in its category's colour. */
export interface WaveMark extends Span {
  readonly id: string;
  readonly category: GroupRegionCategory;
}

/** A mark as it is drawn: the selected one is stronger. */
export interface DrawnMark extends WaveMark {
  readonly isSelected: boolean;
}

/** The wave's colours in the current theme. */
export interface WaveColours {
  readonly unplayed: { readonly peakEnvelope: string; readonly rmsBody: string };
  readonly played: { readonly peakEnvelope: string; readonly rmsBody: string };
  readonly zero: string;
  readonly cursor: string;
  readonly category: Readonly<Record<GroupRegionCategory, string>>;
}

/** Reads the colours from CSS variables, which a canvas cannot use. */
export function readWaveColours(element: Element): WaveColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const categories = GROUP_REGION_CATEGORIES.map((name) => [name, colour(`--cat-${name}`)] as const);
  return {
    unplayed: { peakEnvelope: colour('--wave-peak'), rmsBody: colour('--wave') },
    played: { peakEnvelope: colour('--wave-played-peak'), rmsBody: colour('--wave-played') },
    zero: colour('--wave-zero'),
    cursor: colour('--accent-line'),
    category: Object.fromEntries(categories) as Record<GroupRegionCategory, string>,
  };
}

/** Adjacent columns of the same colour; `mark` is null outside all regions. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly mark: DrawnMark | null;
}

/** The mark that colours a time: the selected one, or else the first that covers it. */
export function markAt(marks: readonly DrawnMark[], seconds: number): DrawnMark | null {
  let found: DrawnMark | null = null;
  for (const mark of marks) {
    if (seconds < mark.start || seconds >= mark.end) continue;
    if (mark.isSelected) return mark;
    found ??= mark;
  }
  return found;
}

/** Splits the columns of a span where the colour changes. */
export function runsOf(marks: readonly DrawnMark[], span: Span, count: number): readonly Run[] {
  const step = (span.end - span.start) / Math.max(1, count);
  const near = marks.filter((mark) => mark.start < span.end && mark.end > span.start);
  const edges = new Set([0, count]);
  for (const mark of near) {
    for (const edge of [mark.start, mark.end]) {
      const column = Math.ceil((edge - span.start) / step - 0.5);
      if (column > 0 && column < count) edges.add(column);
    }
  }
  const sorted = [...edges].toSorted((a, b) => a - b);
  return sorted.slice(1).map((to, at) => {
    const from = sorted[at] ?? 0;
    return { from, to, mark: markAt(near, span.start + (from + 0.5) * step) };
  });
}

export interface Box {
  readonly height: number;
  /** Pixels from the zero line to full scale. */
  readonly reach: number;
}

/** Top and height of one column; at least one pixel, so that silence is a line. */
export function bar(low: number, high: number, { height, reach }: Box): readonly [top: number, height: number] {
  const middle = height / 2;
  const top = middle - high * reach;
  return [top, Math.max(1, middle - low * reach - top)];
}

/** The part of a canvas context that drawing needs. */
export type DrawingContext = Pick<CanvasRenderingContext2D, 'globalAlpha' | 'fillStyle' | 'fillRect'>;
type Edges = (at: number) => readonly [low: number, high: number];

/** One rectangle per column: filling a single path takes five times as long. */
function fillColumns(context: DrawingContext, run: Run, box: Box, edges: Edges): void {
  for (let x = run.from; x < run.to; x += 1) {
    const [low, high] = edges(x);
    const [top, height] = bar(low, high, box);
    context.fillRect(x, top, 1, height);
  }
}

/** Opacity of a region's colour. */
const REGION_ALPHA = { peakEnvelope: 0.34, rmsBody: 0.68 };
const SELECTED_ALPHA = { peakEnvelope: 0.5, rmsBody: 1 };
const PLAYED_PEAK_ALPHA = 0.8;

export interface WaveDrawing {
  readonly columns: Columns;
  readonly runs: readonly Run[];
  readonly box: Box;
  readonly colours: WaveColours;
  readonly isPlayed: boolean;
}

/** Draws the wave as played or unplayed: the envelope of the peaks, and the RMS as a body within it. */
export function drawWave(context: DrawingContext, { columns, runs, box, colours, isPlayed }: WaveDrawing): void {
  const base = isPlayed ? colours.played : colours.unplayed;
  const peaks: Edges = (x) => [columns.min[x] ?? 0, columns.max[x] ?? 0];
  const rmsBody: Edges = (x) => {
    const rms = columns.rms[x] ?? 0;
    return [Math.max(-rms, columns.min[x] ?? 0), Math.min(rms, columns.max[x] ?? 0)];
  };
  for (const run of runs) {
    const colour = run.mark && colours.category[run.mark.category];
    const alpha = run.mark?.isSelected ? SELECTED_ALPHA : REGION_ALPHA;
    context.globalAlpha = colour ? (isPlayed ? PLAYED_PEAK_ALPHA : alpha.peakEnvelope) : 1;
    context.fillStyle = colour ?? base.peakEnvelope;
    fillColumns(context, run, box, peaks);
    context.globalAlpha = 1;
    context.fillStyle = base.rmsBody;
    fillColumns(context, run, box, rmsBody);
    if (!colour || isPlayed) continue;
    context.globalAlpha = alpha.rmsBody;
    context.fillStyle = colour;
    fillColumns(context, run, box, rmsBody);
  }
  context.globalAlpha = 1;
}

/** Rounds to device pixels, because a smaller movement is invisible. */
export const onPixel = (x: number, density: number): number => Math.round(x * density) / density;
