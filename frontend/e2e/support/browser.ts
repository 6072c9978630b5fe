import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { listenForComplaints } from './complaints';
import { listenIn } from './hearing';

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

/** A step that takes longer has failed. */
const stepLimitMs = 15_000;

let running: Promise<Browser> | undefined;
const opened = new Set<BrowserContext>();

/** The one browser of a journey file: the Chromium of the npm package, or the one that CHROME_PATH names. */
export function openBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** A person's own browser: cookies, storage and sockets apart from everybody else's. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-US', ...options });
  context.setDefaultTimeout(stepLimitMs);
  listenForComplaints(context);
  await listenIn(context);
  opened.add(context);
  context.on('close', () => opened.delete(context));
  return context;
}

/** Every page that somebody has open, in the order of opening. */
export const openPages = (): readonly Page[] => [...opened].flatMap((context) => context.pages());

/** Ends the browser with all its contexts; for `afterAll`. */
export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = undefined;
  await browser?.close();
}

async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'] ?? (await chromium.executablePath());
  return playwright.launch({ executablePath, args: flags, headless: true });
}
