import type { BrowserContext, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Between the player and the speakers. */
    output?: AnalyserNode;
    /** The time on the page's clock in seconds; -1 if it has none. */
    readClock: () => number;
  }
}

/** Lets journeys listen to what a page plays and read its clock. Call before the first page is opened. */
export async function exposeOutput(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.readClock = () => {
      const [minutes, seconds] = document.querySelector('.clock')?.textContent?.split(':') ?? [];
      return seconds === undefined ? -1 : Number(minutes) * 60 + Number(seconds);
    };
    // oxlint-disable-next-line typescript/unbound-method -- Called with its node.
    AudioNode.prototype.connect = new Proxy(AudioNode.prototype.connect, {
      apply: (connect, node: AudioNode, [target, ...rest]: Parameters<AudioNode['connect']>) => {
        if (target instanceof AudioDestinationNode) {
          window.output = node.context.createAnalyser();
          Reflect.apply(connect, node, [window.output]);
        }
        return Reflect.apply(connect, node, [target, ...rest]);
      },
    });
  });
}

/** Where the playhead is, to a tenth of a second. */
export const playbackPosition = (page: Page): Promise<number> => page.evaluate(() => window.readClock());

/** Waits until playback has passed this second. */
export async function playsPast(page: Page, seconds: number): Promise<void> {
  await page.getByRole('button', { name: 'Pause', exact: true }).first().waitFor();
  await page.waitForFunction((past) => window.readClock() > past, seconds);
}

/** Waits until playback is audible; returns its RMS relative to full scale. */
export function measureLoudness(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const samples = new Float32Array(2_048);
    const until = performance.now() + 30_000;
    let loudness = 0;
    while (loudness < 0.001 && performance.now() < until) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      window.output?.getFloatTimeDomainData(samples);
      loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    }
    return loudness;
  });
}

/** Waits until the page plays nothing. */
export const isSilent = async (page: Page): Promise<void> =>
  void (await page.waitForFunction(() => {
    const samples = new Float32Array(2_048);
    window.output?.getFloatTimeDomainData(samples);
    return samples.every((sample) => Math.abs(sample) < 0.000_1);
  }));

/** The longest silence in what a page plays while `act` runs, in milliseconds. It must play a tone. */
export async function longestGapDuring(page: Page, act: () => Promise<unknown>): Promise<number> {
  const gaps = await page.evaluateHandle(() => {
    const { output } = window;
    if (!output) throw new Error('nothing is playing');
    // Two thirds of a second, read more often than that.
    output.fftSize = 32_768;
    const samples = new Float32Array(output.fftSize);
    let longest = 0;
    const look = (): void => {
      output.getFloatTimeDomainData(samples);
      let silent = 0;
      for (const sample of samples) {
        silent = Math.abs(sample) < 0.001 ? silent + 1 : 0;
        longest = Math.max(longest, silent);
      }
    };
    look();
    longest = 0;
    const timer = setInterval(look, 200);
    return {
      stop: (): number => {
        look();
        clearInterval(timer);
        return (longest / output.context.sampleRate) * 1_000;
      },
    };
  });
  await act();
  return gaps.evaluate(({ stop }) => stop());
}

/** A jump of the playhead, in seconds. */
interface JumpBack {
  readonly from: number;
  readonly to: number;
}

/** Waits until the page's clock jumps back by more than half a second. */
export function nextJumpBack(page: Page): Promise<JumpBack> {
  return page.evaluate(
    () =>
      new Promise<JumpBack>((resolve) => {
        let before = window.readClock();
        const look = () => {
          const now = window.readClock();
          if (now < before - 0.5) return resolve({ from: before, to: now });
          before = now;
          requestAnimationFrame(look);
        };
        look();
      }),
  );
}
