import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** The player's media element, which stands in no document. */
    played?: HTMLMediaElement;
  }
}

/** Lets a journey find what plays. Before the first page is opened. */
export async function listenIn(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.Audio = new Proxy(window.Audio, {
      construct: (Element: typeof Audio) => {
        window.played = new Element();
        return window.played;
      },
    });
  });
}

/** Waits until what plays has come past this second. */
export async function playsPast(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction((past) => window.played !== undefined && !window.played.paused && window.played.currentTime > past, seconds);
}

export const playedTo = (page: Page): Promise<number> => page.evaluate(() => window.played?.currentTime ?? -1);

/** Waits until sound comes out of what plays; answers how loud it was, as RMS of full scale. Once for each page. */
export function soundOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    if (!window.played) return 0;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    const source = context.createMediaElementSource(window.played);
    source.connect(analyser).connect(context.destination);
    const samples = new Float32Array(analyser.fftSize);
    const until = performance.now() + 10_000;
    let loudness = 0;
    while (loudness < 0.001 && performance.now() < until) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      analyser.getFloatTimeDomainData(samples);
      loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    }
    return loudness;
  });
}

/** Waits until what plays jumps back, and answers where from and where to, in seconds. */
export function jumpBack(page: Page): Promise<{ readonly from: number; readonly to: number }> {
  return page.evaluate(async () => {
    let from = window.played?.currentTime ?? 0;
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const to = window.played?.currentTime ?? 0;
      if (to < from) return { from, to };
      from = to;
    }
  });
}
