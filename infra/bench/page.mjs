// Performance of a large project's page in a browser with a throttled CPU: largest paint, layout shift, click to sound, and common actions.
// Every round uses a new browser context without a cache. Browser, program and this script share the CPUs.
// Usage: node infra/bench/page.mjs [--rounds 7] [--slowed 4] [--comments 500] [--regions 200] [--todos 0] [--note 0]   (build first; --note in characters)
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { startProgram } from '../faults/lib/program.mjs';
import { aProject, person, reactorsDone, smallWav } from '../faults/lib/studio.mjs';
import { median } from './lib/backends.mjs';
import { longestTaskOf, noteTimes, slowestReactionTo } from './lib/page-times.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    slowed: { type: 'string', default: '4' },
    comments: { type: 'string', default: '500' },
    regions: { type: 'string', default: '200' },
    todos: { type: 'string', default: '0' },
    note: { type: 'string', default: '0' },
  },
});
const [ROUNDS, SLOWED, COMMENTS, REGIONS] = [values.rounds, values.slowed, values.comments, values.regions].map(Number);
const [TODOS, NOTE] = [values.todos, values.note].map(Number);
const SECONDS = 300;
const AT_ONCE = 8;
const STEP_MS = 60_000;
const TAGS = ['performance', 'mix', 'style', 'arrangement', 'general'];

/** Runs the calls, eight at a time. */
async function each(count, call) {
  let next = 0;
  const take = async () => {
    while (next < count) await call((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

async function largeProject(who) {
  const { projectId, versionId } = await aProject(who, { wav: smallWav(SECONDS) });
  await each(REGIONS, (index) => {
    const start = (index / REGIONS) * (SECONDS - 12);
    return who.must('POST', '/api/regions', {
      projectId,
      submission: { versionId, start, end: start + 2 + (index % 9), label: `Part ${index + 1}`, tag: TAGS[index % TAGS.length] },
    });
  });
  await each(COMMENTS, (index) =>
    who.must('POST', '/api/comments', { projectId, submission: { content: `${index + 1}: the doubles drag behind the beat, listen at the chorus.` } }),
  );
  await each(TODOS, (index) => who.must('POST', '/api/todos', { projectId, submission: { content: `${index + 1}: sing the doubles again` } }));
  if (NOTE > 0) {
    const notes = { public: 'Voice in front, one room. '.repeat(Math.ceil(NOTE / 26)).slice(0, NOTE) };
    await who.must('PUT', `/api/projects/${projectId}`, { submission: { owner: { notes } } });
  }
  await reactorsDone(who);
  return projectId;
}

/** Common actions on the page, in this order; each resolves once the page shows its effect. */
const ACTIONS = {
  'select a region': async (page) => {
    await page.getByRole('button', { name: /^Part 2,/ }).click({ force: true });
    await page.locator('.rtab[aria-pressed=true]').waitFor();
  },
  'select another': async (page) => {
    await page.getByRole('button', { name: /^Part 3,/ }).click({ force: true });
    await page.locator('.rtab[aria-label^="Part 3,"][aria-pressed=true]').waitFor();
  },
  'clear the selection': async (page) => {
    await page.keyboard.press('Escape');
    await page.locator('.rtab[aria-pressed=true]').waitFor({ state: 'detached' });
  },
  'write a word': async (page, word) => {
    await page.getByRole('textbox', { name: 'New comment' }).click();
    await page.keyboard.type(word, { delay: 60 });
  },
  'send it': async (page, word) => {
    await page.getByRole('group', { name: 'New comment' }).getByRole('button', { name: 'Send' }).click();
    await page.getByRole('article').getByText(word, { exact: true }).waitFor();
  },
};

/** Receives a comment from another tab. */
async function receivesComment(page, { who, projectId, word }) {
  const content = `${word} once more`;
  await who.must('POST', '/api/comments', { projectId, submission: { content } });
  await page.getByRole('article').getByText(content, { exact: true }).waitFor();
}

async function oneRound(browser, { url, who, cookie, projectId, word }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_MS);
  await context.addCookies([{ ...cookie, url }]);
  await context.addInitScript(noteTimes);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(`${url}/projects/${projectId}?tab=comments`);
  await page.getByRole('button', { name: new RegExp(`^Part ${REGIONS},`) }).waitFor({ state: 'attached' });
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor();
  await page.waitForFunction(() => performance.now() - window.times.quietSince > 1_000);
  const first = await page.evaluate(() => ({ paint: window.times.largestPaint, shift: window.times.shift }));
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => window.times.sound !== null);
  const sound = await page.evaluate(() => window.times.sound);
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause', exact: true }).click();
  const acts = {};
  for (const [name, act] of Object.entries(ACTIONS)) acts[name] = await slowestReactionTo(page, () => act(page, word));
  const received = await longestTaskOf(page, () => receivesComment(page, { who, projectId, word }));
  await context.close();
  return { 'largest paint': first.paint, 'click to sound': sound, shift: first.shift, ...acts, 'receive a comment': received };
}

const BARS = { 'largest paint': 1_200, 'click to sound': 150, shift: 0.02, 'receive a comment': '' };
const REACTION_BAR = 100;

const folder = await mkdtemp(join(tmpdir(), 'roughmix-bench-'));
const program = await startProgram({ folder: join(folder, 'data') });
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? (await sparticuz.executablePath()),
  args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
});
try {
  const who = await person(program.url, 'Ben');
  const projectId = await largeProject(who);
  const [name, value] = ['roughmix_session', who.token];
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await oneRound(browser, { url: program.url, who, cookie: { name, value }, projectId, word: `Louder${round}` }));
  }
  console.table(
    Object.keys(rounds[0]).map((what) => {
      const taken = rounds.map((round) => round[what]);
      const text = (figure) => figure.toFixed(what === 'shift' ? 3 : 0);
      return { what, median: text(median(taken)), least: text(Math.min(...taken)), most: text(Math.max(...taken)), bar: BARS[what] ?? REACTION_BAR };
    }),
  );
  console.log(`milliseconds, except shift; ${COMMENTS} comments, ${REGIONS} regions, CPU slowed ${SLOWED} times, ${ROUNDS} rounds`);
} finally {
  await browser.close();
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}
