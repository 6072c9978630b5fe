import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './journey';

/** The player of a project's page, not the mini player. */
export const playerOf = (page: Page): Locator => page.getByRole('region', { name: 'Player' });

export const waveOf = (page: Page): Locator => page.getByRole('slider', { name: 'Playhead' });

/** The comments of a page including replies, newest thread first. */
export const commentsOf = (page: Page): Locator => page.getByRole('article');

export const composerOf = (page: Page): Locator => page.getByRole('group', { name: 'New comment' });

/** Opens the comments of a project's page. */
export const openComments = (page: Page): Promise<void> => page.getByRole('tab', { name: /^Comments/ }).click();

/** Draws on the wave with the mouse, between two fractions of its width. */
export async function drawOnWave(page: Page, from: number, to: number): Promise<void> {
  const box = await waveOf(page).boundingBox();
  if (!box) throw new Error('the wave is not on the page');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 4 });
  await page.mouse.move(box.x + to * box.width, y, { steps: 4 });
  await page.mouse.up();
}

/** Waits until the comments are exactly these texts, in this order. */
export const expectComments = (page: Page, texts: readonly string[]): Promise<void> =>
  eventually(async () => expect(await commentsOf(page).locator('.text').allInnerTexts()).toEqual(texts));

/** Sends a comment with the composer. */
export async function sendComment(page: Page, text: string): Promise<void> {
  await composerOf(page).getByRole('textbox', { name: 'New comment' }).fill(text);
  await composerOf(page).getByRole('button', { name: 'Send' }).click();
}
