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

/** Where what plays was moved back from and to, in seconds, and where it was when the player looked for the last time but one. */
interface JumpBack {
  readonly lookedBefore: number;
  readonly from: number;
  readonly to: number;
}

/** Waits until what plays is moved back by more than half a second: taken where the player asks and sets it, for between two looks of a busy page much is played. */
export function jumpBack(page: Page): Promise<JumpBack> {
  return page.evaluate(
    () =>
      new Promise<JumpBack>((resolve, reject) => {
        const { played } = window;
        const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime');
        if (!played || !own) return reject(new Error('nothing plays'));
        const late = setTimeout(() => reject(new Error('what plays was not moved back')), 30_000);
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
