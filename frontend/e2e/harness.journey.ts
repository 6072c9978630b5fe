import { afterAll, expect, test } from '@jest/globals';
import { closeBrowser, openContext } from './support/browser';

afterAll(closeBrowser);

test('two users have isolated browsers that decode audio', async () => {
  const [ana, bob] = await Promise.all([openContext(), openContext()]);
  const page = await ana.newPage();
  await page.goto('data:text/html,<title>Roughmix</title><button>Play</button>');

  expect(await page.title()).toBe('Roughmix');
  await page.getByRole('button', { name: 'Play' }).click();
  expect(await page.evaluate(() => document.createElement('audio').canPlayType('audio/mpeg'))).toBe('probably');
  expect(bob.pages()).toEqual([]);
  await Promise.all([ana.close(), bob.close()]);
});
