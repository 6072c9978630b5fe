import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { recordConsoleErrors } from './console-errors';
import { exposeOutput } from './playback';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

/** Timeout of a step, sufficient for a busy machine. */
const stepLimitMs = 30_000;

/** Browsers by host rules. */
const running = new Map<string, Promise<Browser>>();
const opened = new Set<BrowserContext>();

export interface ContextOptions extends BrowserContextOptions {
  /** Host rules of an entry point; each set of rules needs its own browser process. */
  readonly hostRules?: string;
}

/** The browser of a journey file: the Chromium of the npm package, or the one in CHROME_PATH. */
export function openBrowser(hostRules = ''): Promise<Browser> {
  const browser = running.get(hostRules) ?? launch(hostRules === '' ? flags : [...flags, `--host-resolver-rules=${hostRules}`]);
  running.set(hostRules, browser);
  return browser;
}

/** Service workers are off, because requests that they answer cannot be intercepted; journeys about them turn them on. */
const DEFAULTS: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-US', serviceWorkers: 'block' };

/** A user's isolated browser context. */
export async function openContext({ hostRules, ...options }: ContextOptions = {}): Promise<BrowserContext> {
  const browser = await openBrowser(hostRules);
  const context = await browser.newContext({ ...DEFAULTS, ...options });
  context.setDefaultTimeout(stepLimitMs);
  recordConsoleErrors(context);
  await exposeOutput(context);
  opened.add(context);
  context.on('close', () => opened.delete(context));
  return context;
}

/** All open pages, in order of opening. */
export const openPages = (): readonly Page[] => [...opened].flatMap((context) => context.pages());

/** Closes the browsers with all their contexts; for `afterAll`. */
export async function closeBrowser(): Promise<void> {
  const browsers = await Promise.all(running.values());
  running.clear();
  await Promise.all(browsers.map((browser) => browser.close()));
}

async function launch(args: string[]): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'] ?? (await chromium.executablePath());
  return playwright.launch({ executablePath, args, headless: true });
}
