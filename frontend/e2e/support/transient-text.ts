import type { JSHandle, Locator, Page } from 'playwright-core';

/** Text that a page shows for a few seconds. */
export interface TransientText {
  /** Waits until the text has appeared; it may have disappeared since. */
  appeared(): Promise<void>;
  /** Waits until the text has disappeared; returns how long it was visible, in milliseconds. */
  shownFor(): Promise<number>;
}

/** When the text appeared and disappeared, on the page's clock. */
interface Times {
  appeared: number | null;
  disappeared: number | null;
}

/**
 * Observes the page from inside, starting before the text can appear, because polling from outside may miss it.
 * @throws if the text is already visible
 */
export async function watchFor(place: Locator, words: string): Promise<TransientText> {
  const times: JSHandle<Times> = await place.evaluateHandle((element, sought): Times => {
    const seen: Times = { appeared: null, disappeared: null };
    // The last in the document is the innermost.
    const isThere = (): boolean => [...element.querySelectorAll('*')].findLast(({ textContent }) => textContent.includes(sought))?.checkVisibility() ?? false;
    const look = (): void => {
      const isSeen = isThere();
      if (isSeen) seen.appeared ??= performance.now();
      if (isSeen || seen.appeared === null) return;
      seen.disappeared = performance.now();
      watch.disconnect();
    };
    const watch = new MutationObserver(look);
    if (isThere()) throw new Error(`'${sought}' is already visible`);
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
    appeared: () => when('appeared'),
    shownFor: async () => {
      await when('disappeared');
      const { appeared, disappeared } = await times.jsonValue();
      return (disappeared ?? NaN) - (appeared ?? NaN);
    },
  };
}

/** Keeps toasts open, as hovering does, so that a slow journey can press their buttons. */
export async function keepToastsOpen(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Messages' }).evaluate((messages) => {
    const hold = (): void => void messages.querySelector('li')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    new MutationObserver(hold).observe(messages, { subtree: true, childList: true });
  });
}
