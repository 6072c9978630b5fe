import type { Page } from 'playwright-core';

/** How the wave on a page is drawn, read from its pixels. */
export interface Ink {
  /** Columns of pixels, and how many of them have ink. */
  readonly columns: number;
  readonly inked: number;
  /** The lowest and the highest column, in pixels. */
  readonly lowest: number;
  readonly highest: number;
}

/** Reads every pixel of the waveform that is seen, from a copy: a canvas that is read more than once complains of it in the console. */
export function inkOf(page: Page): Promise<Ink> {
  return page.evaluate(() => {
    const heights: number[] = [];
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.wave-ink canvas')) {
      const { width, height } = canvas;
      if (canvas.style.visibility === 'hidden' || width === 0) continue;
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      if (!copy) continue;
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      for (let x = 0; x < width; x++) {
        let inked = 0;
        for (let y = 0; y < height; y++) if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) inked++;
        heights.push(inked);
      }
    }
    const sorted = heights.toSorted((a, b) => a - b);
    return { columns: heights.length, inked: heights.filter((height) => height > 0).length, lowest: sorted[0] ?? 0, highest: sorted.at(-1) ?? 0 };
  });
}
