import { fileURLToPath } from 'node:url';

/** A page's output from the context's frame `frame` on, at `rate` Hz. */
/** @typedef {{ rate: number, frame: number, left: Float32Array, right: Float32Array }} Recording */

/** Adds the recorder to every page of a browser context made with `bypassCSP`. Call before the first page is opened. */
export const recordOutput = (context) => context.addInitScript({ path: fileURLToPath(new URL('recorder-in-page.js', import.meta.url)) });

/** Decodes samples from base64. */
export function samplesOf(base64) {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** Starts a new recording of a page. */
export const startRecording = (page) => page.evaluate(() => void window.recorder.start());

/** @returns {Promise<Recording>} what was recorded since the start or the last call */
export async function takeRecording(page) {
  const { rate, frame, left, right } = await page.evaluate(() => window.recorder.take());
  return { rate, frame, left: samplesOf(left), right: samplesOf(right) };
}
