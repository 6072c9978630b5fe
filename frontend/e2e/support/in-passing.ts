import type { JSHandle, Locator, Page } from 'playwright-core';

/** Words that a page says for some seconds and takes back. */
export interface InPassing {
  /** Waits until they have come, though they may have gone since. */
  came(): Promise<void>;
  /** Waits until they have gone again, and answers how long they stood in the page, in milliseconds. */
  stood(): Promise<number>;
}

/** Since when words have come and gone, on the page's clock. */
interface Times {
  come: number | null;
  gone: number | null;
}

/**
 * Watches in the page itself, from before the words can come: who only looks from here may look too late, and takes them for missing or for short.
 * @throws when they stand in that place already
 */
export async function watchFor(place: Locator, words: string): Promise<InPassing> {
  const times: JSHandle<Times> = await place.evaluateHandle((element, sought): Times => {
    const seen: Times = { come: null, gone: null };
    // The last in the document is the innermost.
    const isThere = (): boolean => [...element.querySelectorAll('*')].findLast(({ textContent }) => textContent.includes(sought))?.checkVisibility() ?? false;
    const look = (): void => {
      const isSeen = isThere();
      if (isSeen) seen.come ??= performance.now();
      if (isSeen || seen.come === null) return;
      seen.gone = performance.now();
      watch.disconnect();
    };
    const watch = new MutationObserver(look);
    if (isThere()) throw new Error(`'${sought}' stands there already`);
    watch.observe(element, { subtree: true, childList: true, characterData: true });
    return seen;
  }, words);
  const when = async (which: keyof Times): Promise<void> => {
    try {
      await place.page().waitForFunction(([seen, end]) => seen[end] !== null, [times, which] as const);
    } catch (error) {
      throw new Error(`'${words}' has not ${which}`, { cause: error });
    }
  };
  return {
    came: () => when('come'),
    stood: async () => {
      await when('gone');
      const { come, gone } = await times.jsonValue();
      return (gone ?? NaN) - (come ?? NaN);
    },
  };
}

/** From now on messages that would leave after some seconds stay, as they do under a mouse: for who presses something in them, however late. */
export async function holdMessages(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Messages' }).evaluate((messages) => {
    const hold = (): void => void messages.querySelector('li')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    new MutationObserver(hold).observe(messages, { subtree: true, childList: true });
  });
}
