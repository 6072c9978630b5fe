// The real program and a browser for measurements of the page.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { startProgram } from '../../faults/lib/program.mjs';
import { person } from '../../faults/lib/studio.mjs';

/** Calls `run` with a program, a browser and a signed-in user, and stops both afterwards. */
export async function inStudio(run) {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
  const program = await startProgram({ folder: join(folder, 'data') });
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? (await sparticuz.executablePath()),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required', '--js-flags=--expose-gc'],
  });
  try {
    const who = await person(program.url, 'Ben');
    return await run({ program, browser, who });
  } finally {
    await browser.close();
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
