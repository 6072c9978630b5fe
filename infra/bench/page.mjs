// Performance of a large project's page in a browser with a throttled CPU: largest paint, layout shift, click to
// sound (the first sample that is not silent), and common actions.
// Every round uses a new browser context without a cache. Browser, program and this script share the CPUs.
// Usage: node infra/bench/page.mjs [--rounds 7] [--slowed 4] [--comments 500] [--regions 200] [--todos 0] [--note 0]   (build first; --note in characters)
import { parseArgs } from 'node:util';
import { median } from './lib/backends.mjs';
import { largeProject } from './lib/large-project.mjs';
import { pressToSound } from './lib/player/click-to-sound.mjs';
import { recordOutput } from './lib/player/recorder.mjs';
import { longestTaskOf, noteTimes, slowestReactionTo } from './lib/page-times.mjs';
import { inStudio } from './lib/studio.mjs';

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
const STEP_MS = 60_000;

const label = (page, name) => page.getByRole('button', { name });
const isSelected = (page, name) => page.locator(`.rtab[aria-label^="${name},"][aria-pressed=true]`).waitFor();
/** Common actions on the page, in this order, and the visible result of each. The page is searched after the measurement, because a search costs main-thread time. */
const ACTIONS = {
  'select a region': { act: (page) => label(page, /^Part 2,/).click({ force: true }), shows: (page) => isSelected(page, 'Part 2') },
  'select another': { act: (page) => label(page, /^Part 3,/).click({ force: true }), shows: (page) => isSelected(page, 'Part 3') },
  'clear the selection': {
    act: (page) => page.keyboard.press('Escape'),
    shows: (page) => page.locator('.rtab[aria-pressed=true]').waitFor({ state: 'detached' }),
  },
  'write a word': {
    act: async (page, word) => {
      await page.getByRole('textbox', { name: 'New comment' }).click();
      await page.keyboard.type(word, { delay: 60 });
    },
    shows: () => undefined,
  },
  'send it': {
    act: (page) => page.getByRole('group', { name: 'New comment' }).getByRole('button', { name: 'Send' }).click(),
    shows: (page, word) => page.getByRole('article').getByText(word, { exact: true }).waitFor(),
  },
};

/** Receives a comment from another tab. */
async function receivesComment(page, { who, projectId, word }) {
  const content = `${word} once more`;
  await who.must('POST', '/api/comments', { projectId, submission: { content } });
  await page.getByRole('article').getByText(content, { exact: true }).waitFor();
}

async function oneRound(browser, { url, who, cookie, projectId, word }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true });
  context.setDefaultTimeout(STEP_MS);
  await context.addCookies([{ ...cookie, url }]);
  await context.addInitScript(noteTimes);
  await recordOutput(context);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(`${url}/projects/${projectId}?tab=comments`);
  await page.getByRole('button', { name: new RegExp(`^Part ${REGIONS},`) }).waitFor({ state: 'attached' });
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play', exact: true, disabled: false }).waitFor();
  await page.waitForFunction(() => performance.now() - window.times.quietSince > 1_000);
  const first = await page.evaluate(() => ({ paint: window.times.largestPaint, shift: window.times.shift }));
  const sound = await pressToSound(page, page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play', exact: true }));
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause', exact: true }).click();
  const acts = {};
  for (const [name, { act, shows }] of Object.entries(ACTIONS)) {
    acts[name] = await slowestReactionTo(page, () => act(page, word));
    await shows(page, word);
  }
  const received = await longestTaskOf(page, () => receivesComment(page, { who, projectId, word }));
  await context.close();
  return { 'largest paint': first.paint, 'click to sound': sound, shift: first.shift, ...acts, 'receive a comment': received };
}

const BARS = { 'largest paint': 1_200, 'click to sound': 150, shift: 0.02, 'receive a comment': '' };
const REACTION_BAR = 100;

await inStudio(async ({ program, browser, who }) => {
  const projectId = await largeProject(who, { regions: REGIONS, comments: COMMENTS, todos: TODOS, note: NOTE });
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
});
