// Pages whose output is recorded.
import { recordOutput } from './recorder.mjs';

const STEP_MS = 60_000;

/** A page of its own browser context, signed in, whose output is recorded. */
export async function recordedPage({ browser, who }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true });
  context.setDefaultTimeout(STEP_MS);
  await context.addCookies([{ name: 'roughmix_session', value: who.token, url: who.url }]);
  await recordOutput(context);
  return context.newPage();
}
