import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** The player's media element, which is not part of the document. */
    played?: HTMLMediaElement;
  }
}

/** Exposes the player's media element to journeys. Call before the first page is opened. */
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

/** Waits until playback has passed this second. */
export async function playsPast(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction((past) => window.played !== undefined && !window.played.paused && window.played.currentTime > past, seconds);
}

export const playedTo = (page: Page): Promise<number> => page.evaluate(() => window.played?.currentTime ?? -1);

/** Waits until playback is audible; returns its RMS relative to full scale. Call once per page. */
export function soundOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    if (!window.played) return 0;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    const source = context.createMediaElementSource(window.played);
    source.connect(analyser).connect(context.destination);
    const samples = new Float32Array(analyser.fftSize);
    const until = performance.now() + 30_000;
    let loudness = 0;
    while (loudness < 0.001 && performance.now() < until) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      analyser.getFloatTimeDomainData(samples);
      loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    }
    return loudness;
  });
}

/** A jump of the playback position, in seconds, and the position at the player's second-last read before it. */
interface JumpBack {
  readonly lookedBefore: number;
  readonly from: number;
  readonly to: number;
}

/** Waits until the position jumps back by more than half a second. Intercepts the player's own reads and writes, because polling from outside is too coarse. */
export function jumpBack(page: Page): Promise<JumpBack> {
  return page.evaluate(
    () =>
      new Promise<JumpBack>((resolve, reject) => {
        const { played } = window;
        const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime');
        if (!played || !own) return reject(new Error('nothing is playing'));
        const late = setTimeout(() => reject(new Error('the position did not jump back')), 30_000);
        const isAt = (): number => Number(own.get?.call(played));
        let [lookedBefore, looked] = [-1, -1];
        const look = (): number => {
          lookedBefore = looked;
          looked = isAt();
          return looked;
        };
        const move = (seconds: number): void => {
          const from = isAt();
          own.set?.call(played, seconds);
          const to = isAt();
          if (to > from - 0.5) return;
          Reflect.deleteProperty(played, 'currentTime');
          played.addEventListener(
            'seeked',
            () => {
              clearTimeout(late);
              resolve({ lookedBefore, from, to });
            },
            { once: true },
          );
        };
        Object.defineProperty(played, 'currentTime', { configurable: true, get: look, set: move });
      }),
  );
}
