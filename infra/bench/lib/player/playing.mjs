// Operates the player of a project's page with keys and sliders.
import { startRecording, takeRecording } from './recorder.mjs';

const player = (page) => page.getByRole('region', { name: 'Player' });
/** @returns {import('playwright-core').Locator} */
export const playButton = (page) => player(page).getByRole('button', { name: 'Play', exact: true, disabled: false });

/** The mixer's last report. */
export const mixerState = (page) => page.evaluate(() => window.recorder.mixerState());

/** Waits until the mixer's last report has these values. */
export const untilMixer = (page, wanted, timeout = 60_000) =>
  page.waitForFunction((values) => Object.entries(values).every(([name, value]) => window.recorder.mixerState()?.[name] === value), wanted, { timeout });

/** Waits for seconds of the audio clock. */
export const playFor = (page, seconds) =>
  page.evaluate(async (length) => {
    const context = window.recorder.context();
    const until = context.currentTime + length;
    while (context.currentTime < until) await new Promise((resolve) => setTimeout(resolve, 10));
  }, seconds);

/** Plays until decoded audio sounds, then pauses at the start. */
export async function warmUp(page) {
  await page.keyboard.press('Space');
  await untilMixer(page, { source: 'buffer', isPlaying: true });
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: false });
  await page.keyboard.press('Enter');
}

/** Moves a slider of the tools. */
export async function setSlider(page, name, value) {
  const slider = player(page).getByRole('slider', { name, exact: true });
  await slider.fill(String(value));
  await slider.blur();
}

/** Plays from the start until it ends. @returns {Promise<import('./recorder.mjs').Recording>} */
export async function recordWhole(page) {
  await page.keyboard.press('Enter');
  await startRecording(page);
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: true });
  await untilMixer(page, { isPlaying: false }, 200_000);
  await playFor(page, 0.5);
  return takeRecording(page);
}

/** Records for seconds of the audio clock. @returns {Promise<import('./recorder.mjs').Recording>} */
export async function recordFor(page, seconds) {
  await startRecording(page);
  await playFor(page, seconds);
  return takeRecording(page);
}
