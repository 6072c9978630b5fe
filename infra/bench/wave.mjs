// Frames of the wave on a project with many regions: playing, zooming, scrolling and following, in a browser with a throttled CPU.
// `main thread` is CPU time per frame without throttling, from a trace: less sensitive to other programs on the machine than frame times.
// Usage: node infra/bench/wave.mjs [--regions 500] [--slowed 4]   (build first)
import { parseArgs } from 'node:util';
import { frameTimes, mainThreadPerFrame } from './lib/frames.mjs';
import { largeProject } from './lib/large-project.mjs';
import { inStudio } from './lib/studio.mjs';

const { values } = parseArgs({ options: { regions: { type: 'string', default: '500' }, slowed: { type: 'string', default: '4' } } });
const [REGIONS, SLOWED] = [values.regions, values.slowed].map(Number);
const FRAMES = 60;

/** Turns the wheel over the wave once per frame. */
const wheel = (page, init, turns) =>
  page.evaluate(
    async ([options, count]) => {
      const wave = document.querySelector('.wave');
      const { left, top } = document.querySelector('.screen').getBoundingClientRect();
      for (let turn = 0; turn < count; turn += 1) {
        wave.dispatchEvent(new WheelEvent('wheel', { ...options, clientX: left + 700, clientY: top + 120, bubbles: true, cancelable: true }));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [init, turns],
  );
const scroll = (page, by) =>
  page.evaluate(
    async ([pixels, count]) => {
      const screen = document.querySelector('.screen');
      for (let frame = 0; frame < count; frame += 1) {
        screen.scrollLeft += pixels;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [by, FRAMES],
  );
const wait = (page) => page.waitForTimeout(3_000);

/** In this order: the track is zoomed in for scrolling and following. */
const ACTIONS = {
  'playing, whole track': wait,
  'zooming in': (page) => wheel(page, { ctrlKey: true, deltaY: -4 }, FRAMES),
  'playing, zoomed': wait,
  scrolling: (page) => scroll(page, 40),
  following: async (page) => {
    await page.keyboard.press('f');
    await wait(page);
  },
  'zooming out': (page) => wheel(page, { ctrlKey: true, deltaY: 4 }, FRAMES),
};

async function openPage(browser, { url, token, projectId }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'roughmix_session', value: token, url }]);
  const page = await context.newPage();
  await page.goto(`${url}/projects/${projectId}`);
  await page.getByRole('button', { name: new RegExp(`^Part ${REGIONS},`) }).waitFor({ state: 'attached' });
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play', exact: true, disabled: false }).click();
  await page.waitForTimeout(2_000);
  return { page, devtools: await context.newCDPSession(page), close: () => context.close() };
}

/** Performs every action on a page of its own. @returns what `measure` returns for each */
async function measured(browser, project, measure) {
  const { page, devtools, close } = await openPage(browser, project);
  const results = {};
  for (const [name, act] of Object.entries(ACTIONS)) {
    results[name] = await measure({ page, devtools }, () => act(page));
    await page.waitForTimeout(500);
  }
  await close();
  return results;
}

await inStudio(async ({ program, browser, who }) => {
  const project = { url: program.url, token: who.token, projectId: await largeProject(who, { regions: REGIONS }) };
  const work = await measured(browser, project, mainThreadPerFrame);
  const frames = await measured(browser, project, async ({ page, devtools }, act) => {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    return frameTimes(page, act);
  });
  console.table(Object.keys(ACTIONS).map((what) => ({ what, 'main thread': work[what].toFixed(1), ...frames[what] })));
  console.log(`milliseconds per frame; ${REGIONS} regions; frame times with the CPU slowed ${SLOWED} times`);
});
