import type { BrowserContext } from 'playwright-core';

/** The question who is here is asked before anybody can be. */
const session = /^error: .* 401 \(Unauthorized\) \/api\/auth\/session$/;
/** A command whose read models lag is put off and sent again by the page, which nobody sees; the browser tells each answer all the same. */
const putOff = /^error: .* 503 \(Service Unavailable\) \/api\//;
const heard: string[] = [];

/** What pages say when a server is killed: of requests that find none, of those on their way, of answers that break off, and of the socket. */
export const serverAway: readonly RegExp[] = [
  / net::ERR_CONNECTION_REFUSED/,
  / net::ERR_CONNECTION_RESET/,
  / net::ERR_EMPTY_RESPONSE/,
  / net::ERR_CONTENT_LENGTH_MISMATCH/,
  / net::ERR_INCOMPLETE_CHUNKED_ENCODING/,
  /WebSocket connection to .* failed/,
];

/** Writes down every error and warning that the pages of this browser put into their consoles, what their content security policy stopped included. */
export function listenForComplaints(context: BrowserContext): void {
  context.on('console', (message) => {
    const kind = message.type();
    if (kind === 'error' || kind === 'warning') heard.push(`${kind}: ${message.text()} ${pathOf(message.location().url)}`);
  });
  context.on('weberror', (error) => heard.push(`thrown: ${String(error.error())}`));
}

/** What the pages of this file complained of so far, without what was meant to happen. */
export const complaints = (...expected: readonly RegExp[]): readonly string[] =>
  heard.filter((line) => ![session, putOff, ...expected].some((pattern) => pattern.test(line)));

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
