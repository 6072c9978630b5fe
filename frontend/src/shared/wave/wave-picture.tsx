import type { PeaksLevel } from '@roughmix/contracts/media/peaks.js';
import { useLayoutEffect, useRef, useState } from 'react';
import { asWholeTrack, columnsOf } from './peaks';
import type { Span } from './span';
import { useDensity, useWaveColours } from './use-wave-colours';
import { type DrawnMark, drawWave, runsOf, type WaveColours } from './wave-drawing';
import './wave-picture.css';

const WHOLE = { start: 0, end: 1 };

export interface WavePictureProps {
  /** null: draw only the zero line. */
  readonly peaks: PeaksLevel | null;
  /** The part of the track that is shown, from 0 to 1; all of it by default. */
  readonly span?: Span;
  /** The part of the picture that is drawn as played, from 0 to 1. */
  readonly played: number;
  /** In parts of the track, from 0 to 1. */
  readonly marks: readonly DrawnMark[];
}

type Drawing = Required<WavePictureProps> & { readonly peaks: PeaksLevel };

function draw(canvas: HTMLCanvasElement, { peaks, span, played, marks }: Drawing, colours: WaveColours): void {
  const { width, height } = canvas;
  const context = width === 0 ? null : canvas.getContext('2d');
  if (context === null) return;
  const picture = { columns: columnsOf(asWholeTrack(peaks), span, width), runs: runsOf(marks, span, width), box: { height, reach: height / 2 }, colours };
  const end = Math.round(played * width);
  for (const [isPlayed, from, to] of [
    [true, 0, end],
    [false, end, width],
  ] as const) {
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, height);
    context.clip();
    drawWave(context, { ...picture, isPlayed });
    context.restore();
  }
}

function DrawnPicture({ peaks, span, played, marks }: Drawing) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useWaveColours(canvas);
  const density = useDensity();
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: current.clientWidth, height: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null || colours === null) return;
    current.width = Math.round(size.width * density);
    current.height = Math.round(size.height * density);
    draw(current, { peaks, span, played, marks }, colours);
  }, [size, density, colours, peaks, span, played, marks]);
  return <canvas ref={canvas} className="wave-picture" aria-hidden="true" />;
}

/** A picture of a track with coloured parts, drawn like the player's wave. Hidden from assistive technology, because it is an illustration. */
export const WavePicture = ({ peaks, span = WHOLE, ...rest }: WavePictureProps) =>
  peaks === null ? <span className="wave-picture is-waiting" aria-hidden="true" /> : <DrawnPicture peaks={peaks} span={span} {...rest} />;
