import { readFileSync } from 'node:fs';
import { playFor, untilMixer, warmUp } from './playing.mjs';
import { openPlayer, projectOf } from './projects.mjs';
import { noise, wavOf } from './signals.mjs';

const SWITCHES = 100;
const PROJECTS = 20;
const SECONDS = 60;
const MEGABYTE = 1_048_576;

/** Playwright's own connection to the page's process makes Chromium keep a copy of every response, up to about 150 MB: forget them. */
async function forgetResponses(page) {
  const own = page._connection.toImpl(page).delegate._mainFrameSession._client;
  await own.send('Network.disable');
  await own.send('Network.enable');
}

/** Memory of the page's process after garbage collection, in MB: the script's heap, and what the process holds itself (private, not shared). */
async function memoryOf(studio, page) {
  await forgetResponses(page);
  const devtools = await page.context().newCDPSession(page);
  for (let time = 0; time < 3; time += 1) {
    await page.evaluate(() => window.recorder.collect());
    await devtools.send('HeapProfiler.collectGarbage');
  }
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value / MEGABYTE;
  await devtools.detach();
  return { heap, process: await privateMegabytes(studio.browser) };
}

/** The private memory of the largest renderer: one page is open. */
async function privateMegabytes(browser) {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => privateOf(id));
  return Math.max(...sizes);
}

function privateOf(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return [...rollup.matchAll(/Private_\w+:\s+(\d+)/g)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1_024;
}

const row = (what, before, after) => ({
  what,
  'heap MB': `${before.heap.toFixed(1)} → ${after.heap.toFixed(1)}`,
  'heap ratio': (after.heap / before.heap).toFixed(2),
  'process MB': `${before.process.toFixed(0)} → ${after.process.toFixed(0)}`,
  'process ratio': (after.process / before.process).toFixed(2),
});

const stereo = (seed) => wavOf(noise(SECONDS, seed), noise(SECONDS, seed + 1));

/** Switches between two decoded versions again and again. */
async function afterSwitches(studio) {
  const { projectId } = await projectOf(studio, [stereo(1), stereo(3)]);
  const page = await openPlayer(studio, projectId);
  for (const key of ['1', '2']) {
    await page.keyboard.press(key);
    await warmUp(page);
  }
  await page.keyboard.press('Space');
  await untilMixer(page, { isPlaying: true });
  const switches = async (count) => {
    for (let turn = 0; turn < count; turn += 1) {
      await page.keyboard.press(turn % 2 === 0 ? '1' : '2');
      await playFor(page, 0.1);
    }
  };
  await switches(4);
  const before = await memoryOf(studio, page);
  await switches(SWITCHES);
  const after = await memoryOf(studio, page);
  await page.context().close();
  return row(`${SWITCHES} switches`, before, after);
}

/** Opens projects one after the other on one page, plays each until its decoded audio sounds, and goes back to the list. */
async function afterProjects(studio) {
  const names = [];
  for (let at = 0; at < PROJECTS; at += 1) {
    const { projectId } = await projectOf(studio, [{ wav: stereo(10 + 2 * at), projectName: `Song ${at + 1}.` }]);
    names.push({ projectId, name: `Song ${at + 1}.` });
  }
  const page = await openPlayer(studio, names[0].projectId);
  const visit = async ({ name }) => {
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
    await page.getByRole('link', { name }).first().click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await warmUp(page);
  };
  for (const song of names.slice(0, 2)) await visit(song);
  const before = await memoryOf(studio, page);
  for (const song of [...names.slice(2), ...names.slice(0, 2)]) await visit(song);
  const after = await memoryOf(studio, page);
  await page.context().close();
  return row(`${PROJECTS} projects`, before, after);
}

/** Memory of the page's process after many switches, and after many projects were opened, played and closed. */
export async function memory(studio) {
  console.table([await afterSwitches(studio), await afterProjects(studio)]);
  console.log('after garbage collection; at most 1.2 times the start');
}
