// What a browser tells of a page's times. `noteTimes` runs in the page, before anything else of it.

/** Keeps the largest paint, shifts, reactions to what was clicked and typed, and when sound began, in `window.times`; milliseconds. */
export function noteTimes() {
  const times = { largestPaint: 0, shift: 0, reactions: [], tasks: [], sound: null, quietSince: 0 };
  window.times = times;
  const watch = (type, see, options = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) see(times, entry);
    }).observe({ type, buffered: true, ...options });
  watch('largest-contentful-paint', (kept, { startTime }) => (kept.largestPaint = startTime));
  watch('layout-shift', (kept, { hadRecentInput, value }) => (kept.shift += hadRecentInput ? 0 : value));
  watch('longtask', (kept, { startTime, duration }) => {
    kept.quietSince = Math.max(kept.quietSince, startTime + duration);
    kept.tasks.push({ at: startTime, took: duration });
  });
  watch('resource', (kept, { responseEnd }) => (kept.quietSince = Math.max(kept.quietSince, responseEnd)));
  watch('event', (kept, { interactionId, startTime, duration }) => interactionId !== 0 && kept.reactions.push({ at: startTime, took: duration }), {
    durationThreshold: 16,
  });
  let clicked = 0;
  window.addEventListener('pointerdown', (event) => (clicked = event.timeStamp), { capture: true });
  window.Audio = new Proxy(window.Audio, {
    construct(Element) {
      const played = new Element();
      played.addEventListener('playing', () => (times.sound ??= performance.now() - clicked));
      return played;
    },
  });
}

/** Does something on a page and waits until what it led to is painted and told. @returns {Promise<number>} when it was begun, on the page's clock */
async function done(page, act) {
  const begun = await page.evaluate(() => performance.now());
  await act();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 300)))));
  return begun;
}

/** Does something on a page; answers the slowest reaction to it, from the event to the paint after it, in milliseconds. Under 16 ms browsers tell none: 0. */
export async function slowestReactionTo(page, act) {
  const begun = await done(page, act);
  return page.evaluate((since) => window.times.reactions.filter(({ at }) => at >= since).reduce((most, { took }) => Math.max(most, took), 0), begun);
}

/** Does something that a page hears of; answers for how long nobody could do anything with the page at most, in milliseconds. Under 50 ms: 0. */
export async function longestTaskOf(page, act) {
  const begun = await done(page, act);
  return page.evaluate((since) => window.times.tasks.filter(({ at }) => at >= since).reduce((most, { took }) => Math.max(most, took), 0), begun);
}
