// Frame times of a page, and its main thread's work per frame.

/** Frame times while `act` runs: median, longest, and the share of frames longer than one or two at 60 Hz. */
export async function frameTimes(page, act) {
  await page.evaluate(() => {
    const frames = { taken: [], isOn: true };
    window.frames = frames;
    let last = null;
    const step = (now) => {
      if (last !== null) frames.taken.push(now - last);
      last = now;
      if (frames.isOn) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await act();
  const taken = await page.evaluate(() => {
    window.frames.isOn = false;
    return window.frames.taken;
  });
  const sorted = taken.toSorted((a, b) => a - b);
  // One millisecond more than a frame takes, because timestamps are rounded.
  const share = (limit) => `${Math.round((100 * taken.filter((took) => took > limit + 1).length) / Math.max(1, taken.length))} %`;
  return {
    median: (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1),
    longest: (sorted.at(-1) ?? 0).toFixed(0),
    'over 16.7': share(16.7),
    'over 33.3': share(33.3),
  };
}

/** Milliseconds of CPU time of the main thread per frame that it produces while `act` runs. */
export async function mainThreadPerFrame({ devtools }, act) {
  const events = [];
  const collect = ({ value }) => events.push(...value);
  devtools.on('Tracing.dataCollected', collect);
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] },
  });
  await act();
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await complete;
  devtools.off('Tracing.dataCollected', collect);
  // Only the page's own main thread runs animation frames.
  const main = events.find(({ name }) => name === 'FireAnimationFrame');
  const own = events.filter(({ pid, tid, ph }) => ph === 'X' && pid === main?.pid && tid === main?.tid);
  const frames = own.filter(({ name }) => name === 'Commit').length;
  const work = own.filter(({ name }) => name === 'RunTask').reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
  return work / Math.max(1, frames);
}
