import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** The player's media element, which is not part of the document. */
    mediaElement?: HTMLMediaElement;
  }
}

/** Exposes the player's media element to journeys. Call before the first page is opened. */
export async function exposeMediaElement(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.Audio = new Proxy(window.Audio, {
      construct: (Element: typeof Audio) => {
        window.mediaElement = new Element();
        return window.mediaElement;
      },
    });
  });
}

/** Waits until playback has passed this second. */
export async function playsPast(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction((past) => window.mediaElement !== undefined && !window.mediaElement.paused && window.mediaElement.currentTime > past, seconds);
}

export const playbackPosition = (page: Page): Promise<number> => page.evaluate(() => window.mediaElement?.currentTime ?? -1);

/** Waits until playback is audible; returns its RMS relative to full scale. Call once per page. */
export function measureLoudness(page: Page): Promise<number> {
  return page.evaluate(async () => {
    if (!window.mediaElement) return 0;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    const source = context.createMediaElementSource(window.mediaElement);
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
  readonly previousRead: number;
  readonly from: number;
  readonly to: number;
}

/** Waits until the position jumps back by more than half a second. Intercepts the player's own reads and writes, because polling from outside is too coarse. */
export function nextJumpBack(page: Page): Promise<JumpBack> {
  return page.evaluate(
    () =>
      new Promise<JumpBack>((resolve, reject) => {
        const { mediaElement } = window;
        const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime');
        if (!mediaElement || !own) return reject(new Error('nothing is playing'));
        const late = setTimeout(() => reject(new Error('the position did not jump back')), 30_000);
        const currentPosition = (): number => Number(own.get?.call(mediaElement));
        let [previousRead, lastRead] = [-1, -1];
        const read = (): number => {
          previousRead = lastRead;
          lastRead = currentPosition();
          return lastRead;
        };
        const move = (seconds: number): void => {
          const from = currentPosition();
          own.set?.call(mediaElement, seconds);
          const to = currentPosition();
          if (to > from - 0.5) return;
          Reflect.deleteProperty(mediaElement, 'currentTime');
          mediaElement.addEventListener(
            'seeked',
            () => {
              clearTimeout(late);
              resolve({ previousRead, from, to });
            },
            { once: true },
          );
        };
        Object.defineProperty(mediaElement, 'currentTime', { configurable: true, get: read, set: move });
      }),
  );
}
