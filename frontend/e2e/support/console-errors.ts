import type { BrowserContext } from 'playwright-core';

/** The page queries the session before the user signs in. */
const session = /^error: .* 401 \(Unauthorized\) \/api\/auth\/session$/;
/** The page retries commands while read models lag; the browser still logs each 503. */
const retriedCommand = /^error: .* 503 \(Service Unavailable\) \/api\//;
/** Journeys turn service workers off. */
const blockedWorker = /^warning: Service Worker registration blocked by Playwright/;
const recorded: string[] = [];

/** Errors that pages log when a server is killed: refused and broken requests, truncated responses, and the socket. */
export const serverDownErrors: readonly RegExp[] = [
  / net::ERR_CONNECTION_REFUSED/,
  / net::ERR_CONNECTION_RESET/,
  / net::ERR_EMPTY_RESPONSE/,
  / net::ERR_CONTENT_LENGTH_MISMATCH/,
  / net::ERR_INCOMPLETE_CHUNKED_ENCODING/,
  /WebSocket connection to .* failed/,
];

/** Records all errors and warnings in the consoles of a context's pages, including content security policy violations. */
export function recordConsoleErrors(context: BrowserContext): void {
  context.on('console', (message) => {
    const kind = message.type();
    if (kind === 'error' || kind === 'warning') recorded.push(`${kind}: ${message.text()} ${pathOf(message.location().url)}`);
  });
  context.on('weberror', (error) => recorded.push(`thrown: ${String(error.error())}`));
}

/** The unexpected errors of this file's pages so far. */
export const consoleErrors = (...expected: readonly RegExp[]): readonly string[] =>
  recorded.filter((line) => ![session, retriedCommand, blockedWorker, ...expected].some((pattern) => pattern.test(line)));

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
