import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium as playwright } from 'playwright-core';

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

let running: Promise<Browser> | undefined;

/** The one browser of a journey file: the Chromium of the npm package, or the one that CHROME_PATH names. */
export function openBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** A person's own browser: cookies, storage and sockets apart from everybody else's. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await openBrowser();
  return browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-US', ...options });
}

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
