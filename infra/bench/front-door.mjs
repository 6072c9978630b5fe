// First load of the public pages in a browser with a throttled CPU: largest paint beside the same HTML without the page's code, layout shift, and
// the script that is loaded: at first, and once the visitor moves the pointer, which is when the landing page loads the rest of its code.
// Every round uses a new browser context without a cache, for both sides in turn. Browser, program and this script share the CPUs.
// Fails if any public page reports an error in the browser, such as HTML that does not match the page's code.
// Usage: node infra/bench/front-door.mjs [--rounds 7] [--slowed 4]   (build first)
import { parseArgs } from 'node:util';
import { median } from './lib/backends.mjs';
import { noteTimes } from './lib/page-times.mjs';
import { inStudio } from './lib/studio.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, slowed: { type: 'string', default: '4' } } });
const [ROUNDS, SLOWED] = [values.rounds, values.slowed].map(Number);
const MEASURED = ['/', '/login'];
const PAGES = [...MEASURED, '/passwordReset', '/contact', '/privacy', '/terms', '/terms/projects-terms-of-service'];
const BARS = { ratio: 1.5, shift: 0.02, script: 130 };
const KILO = 1_000;
const LIMIT_MS = 60_000;
const QUIET_MS = 1_500;
/** The page asks who is signed in. */
const EXPECTED = /401 \(Unauthorized\)/;

/** The page's HTML, with its code or bare. Both are passed on by this script, so that both wait for it. */
async function passOn(context, address, isBare) {
  await context.route(address, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: isBare ? html.replace(/<script type="module"[^>]*><\/script>/, '') : html });
  });
}

const quiet = (page) => page.waitForFunction((ms) => performance.now() - window.times.quietSince > ms, QUIET_MS);

const figuresOf = (page) =>
  page.evaluate(() => ({
    paint: window.times.largestPaint,
    shift: window.times.shift,
    script: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0),
  }));

/** Moves the pointer, waits until nothing is loaded any more, and returns what the page loaded and how far it shifted by then. */
async function afterPointer(page) {
  await page.mouse.move(300, 300);
  await page.evaluate(() => (window.times.quietSince = performance.now()));
  await quiet(page);
  const { shift, script } = await figuresOf(page);
  return { shift, allScript: script };
}

async function openIn(browser) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(noteTimes);
  return context;
}

async function load(browser, address, isBare) {
  const context = await openIn(browser);
  await passOn(context, address, isBare);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.goto(address);
  await quiet(page);
  const figures = await figuresOf(page);
  const later = isBare ? {} : await afterPointer(page);
  await context.close();
  return { ...figures, ...later };
}

/** What the pages report to the browser: thrown errors, and errors and warnings of the console. */
async function complaintsOf(browser, url) {
  const complaints = [];
  for (const path of PAGES) {
    const context = await openIn(browser);
    context.on('weberror', (error) => complaints.push(`${path}: ${String(error.error())}`));
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) complaints.push(`${path}: ${message.text()}`);
    });
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    await quiet(page);
    await afterPointer(page);
    await context.close();
  }
  return complaints;
}

const spread = (list, text) => `${text(median(list))} (${text(Math.min(...list))} to ${text(Math.max(...list))})`;
const whole = (figure) => figure.toFixed(0);
const kilobytes = (list) => (median(list) / KILO).toFixed(1);

async function measure(browser, url, path) {
  const sides = { page: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    sides.bare.push(await load(browser, `${url}${path}`, true));
    sides.page.push(await load(browser, `${url}${path}`, false));
  }
  const [paint, bare] = [sides.page, sides.bare].map((rounds) => rounds.map((figures) => figures.paint));
  return {
    path,
    'largest paint': spread(paint, whole),
    bare: spread(bare, whole),
    ratio: (median(paint) / median(bare)).toFixed(2),
    shift: median(sides.page.map(({ shift }) => shift)).toFixed(3),
    'script, kB': kilobytes(sides.page.map(({ script }) => script)),
    'after the pointer moved': kilobytes(sides.page.map(({ allScript }) => allScript)),
  };
}

await inStudio(async ({ program, browser }) => {
  const complaints = await complaintsOf(browser, program.url);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const rows = [];
  for (const path of MEASURED) rows.push(await measure(browser, program.url, path));
  rows.push({ path: 'bar', ratio: BARS.ratio, shift: BARS.shift, 'script, kB': BARS.script });
  console.table(rows);
  console.log(`milliseconds, median (least to most); script as sent, gzipped; CPU slowed ${SLOWED} times, ${ROUNDS} rounds`);
});
