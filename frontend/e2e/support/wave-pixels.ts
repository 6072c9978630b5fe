import type { Page } from 'playwright-core';

/** Measurements of the drawn wave, read from its pixels. */
export interface WavePixels {
  /** Pixel columns, and how many of them are not empty. */
  readonly columns: number;
  readonly nonEmpty: number;
  /** Height of the lowest and the highest column, in pixels. */
  readonly lowest: number;
  readonly highest: number;
}

/** Reads the visible waveform from a copy, because reading a canvas repeatedly logs a warning. */
export function readWavePixels(page: Page): Promise<WavePixels> {
  return page.evaluate(() => {
    const heights: number[] = [];
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.wave-canvas canvas')) {
      const { width, height } = canvas;
      if (canvas.style.visibility === 'hidden' || width === 0) continue;
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      if (!copy) continue;
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      for (let x = 0; x < width; x++) {
        let nonEmpty = 0;
        for (let y = 0; y < height; y++) if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) nonEmpty++;
        heights.push(nonEmpty);
      }
    }
    const sorted = heights.toSorted((a, b) => a - b);
    return { columns: heights.length, nonEmpty: heights.filter((height) => height > 0).length, lowest: sorted[0] ?? 0, highest: sorted.at(-1) ?? 0 };
  });
}
