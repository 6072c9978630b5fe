import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { openPages } from './browser';

const pollMs = 50;

/** Runs a test's steps; on failure takes a screenshot of every open page and prints the folder. */
export const withScreenshots = (steps: () => Promise<void>) => async (): Promise<void> => {
  try {
    await steps();
  } catch (error) {
    await takeScreenshots();
    throw error;
  }
};

/** Retries an assertion until it passes. @returns its result @throws its last error */
export async function eventually<Result>(assertion: () => Promise<Result>, limitMs = 30_000): Promise<Result> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

async function takeScreenshots(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-pictures-'));
  for (const [at, page] of openPages().entries()) {
    await page.screenshot({ path: join(folder, `${at + 1}.png`), timeout: 5_000 });
    await writeFile(join(folder, `${at + 1}.txt`), `${page.url()}\n${await page.locator('body').ariaSnapshot({ timeout: 5_000 })}\n`);
  }
  process.stdout.write(`'${expect.getState().currentTestName ?? ''}' failed; screenshots and texts of its pages: ${folder}\n`);
}
