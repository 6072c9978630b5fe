import type { PeaksLevel } from '@roughmix/contracts/media/peaks.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import { columnsAcross, type Column } from './columns';

/** A coloured span, as fractions of the width. */
export interface StaticWaveMark {
  readonly from: number;
  readonly to: number;
  readonly category: RegionCategory;
  readonly isSelected?: boolean;
}
/** What a static waveform shows besides its peaks. */
export interface StaticWaveOptions {
  /** The fraction of the width that is drawn as played. */
  readonly played?: number;
  readonly marks?: readonly StaticWaveMark[];
}

interface WaveContext {
  readonly context: CanvasRenderingContext2D;
  readonly middle: number;
  readonly colour: (name: string) => string;
}

const MAX_DENSITY = 2;
const PLAYED_PEAK_ALPHA = 0.8;
const UNPLAYED_ALPHA = { resting: { peakEnvelope: 0.34, rmsBody: 0.68 }, selected: { peakEnvelope: 0.5, rmsBody: 1 } };

function bar({ context, middle }: WaveContext, x: number, span: { readonly up: number; readonly down: number }): void {
  context.fillRect(x, middle - span.up * middle, 1, Math.max(1, (span.up + span.down) * middle));
}

/** Draws the peak envelope and the RMS body of one column: in the wave's colours, or in the mark's until played. */
function drawColumn(wave: WaveContext, x: number, column: Column, look: { readonly isPlayed: boolean; readonly mark: StaticWaveMark | undefined }): void {
  const { context, colour } = wave;
  const ofMark = look.mark && colour(`--cat-${look.mark.category}`);
  const alpha = look.mark?.isSelected ? UNPLAYED_ALPHA.selected : UNPLAYED_ALPHA.resting;
  const name = look.isPlayed ? '--wave-played' : '--wave';
  context.globalAlpha = ofMark === undefined ? 1 : look.isPlayed ? PLAYED_PEAK_ALPHA : alpha.peakEnvelope;
  context.fillStyle = ofMark ?? colour(`${name}-peak`);
  bar(wave, x, { up: column.high, down: -column.low });
  context.globalAlpha = 1;
  const rmsBody = { up: Math.min(column.rms, column.high), down: Math.min(column.rms, -column.low) };
  context.fillStyle = colour(name);
  bar(wave, x, rmsBody);
  if (ofMark === undefined || look.isPlayed) return;
  context.globalAlpha = alpha.rmsBody;
  context.fillStyle = ofMark;
  bar(wave, x, rmsBody);
  context.globalAlpha = 1;
}

function coloursOf(canvas: HTMLCanvasElement): WaveContext['colour'] {
  const style = getComputedStyle(canvas);
  const known = new Map<string, string>();
  return (name) => {
    const colour = known.get(name) ?? style.getPropertyValue(name).trim();
    known.set(name, colour);
    return colour;
  };
}

/** Draws a whole file across a canvas, one column per device pixel; without peaks only the zero line. */
export function drawStaticWave(canvas: HTMLCanvasElement, peaks: PeaksLevel | null, { played = 0, marks = [] }: StaticWaveOptions = {}): void {
  const density = Math.min(MAX_DENSITY, window.devicePixelRatio || 1);
  canvas.width = Math.round(canvas.clientWidth * density);
  canvas.height = Math.round(canvas.clientHeight * density);
  const context = canvas.width === 0 ? null : canvas.getContext('2d');
  if (context === null) return;
  const wave: WaveContext = { context, middle: canvas.height / 2, colour: coloursOf(canvas) };
  if (peaks === null) {
    context.fillStyle = wave.colour('--line-strong');
    context.fillRect(0, Math.round(wave.middle), canvas.width, 1);
    return;
  }
  for (const [x, column] of columnsAcross(peaks, canvas.width).entries()) {
    const place = (x + 0.5) / canvas.width;
    drawColumn(wave, x, column, { isPlayed: place < played, mark: marks.find(({ from, to }) => place >= from && place < to) });
  }
}
