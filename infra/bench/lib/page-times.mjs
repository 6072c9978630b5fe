// Browser performance metrics of a page. `noteTimes` runs in the page, before its own scripts.

/** Records largest paint, layout shifts, input latencies and long tasks in `window.times`; milliseconds. */
export function noteTimes() {
  const times = { largestPaint: 0, shift: 0, reactions: [], tasks: [], quietSince: 0 };
  window.times = times;
  const watch = (type, record, options = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) record(times, entry);
    }).observe({ type, buffered: true, ...options });
  watch('largest-contentful-paint', (metrics, { startTime }) => (metrics.largestPaint = startTime));
  watch('layout-shift', (metrics, { hadRecentInput, value }) => (metrics.shift += hadRecentInput ? 0 : value));
  watch('longtask', (metrics, { startTime, duration }) => {
    metrics.quietSince = Math.max(metrics.quietSince, startTime + duration);
    metrics.tasks.push({ at: startTime, took: duration });
  });
  watch('resource', (metrics, { responseEnd }) => (metrics.quietSince = Math.max(metrics.quietSince, responseEnd)));
  watch('event', (metrics, { interactionId, startTime, duration }) => interactionId !== 0 && metrics.reactions.push({ at: startTime, took: duration }), {
    durationThreshold: 16,
  });
}

/** Performs an action and waits until its effects are painted and recorded. @returns {Promise<number>} its start on the page's clock */
async function done(page, act) {
  const startedAt = await page.evaluate(() => performance.now());
  await act();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 300)))));
  return startedAt;
}

/** Performs an action; returns the slowest input latency, from event to next paint, in milliseconds. 0 below 16 ms, which browsers do not report. */
export async function slowestReactionTo(page, act) {
  const startedAt = await done(page, act);
  return page.evaluate((since) => window.times.reactions.filter(({ at }) => at >= since).reduce((most, { took }) => Math.max(most, took), 0), startedAt);
}

/** Performs an action that causes a push; returns the page's longest task, in milliseconds. 0 below 50 ms. */
export async function longestTaskOf(page, act) {
  const startedAt = await done(page, act);
  return page.evaluate((since) => window.times.tasks.filter(({ at }) => at >= since).reduce((most, { took }) => Math.max(most, took), 0), startedAt);
}
