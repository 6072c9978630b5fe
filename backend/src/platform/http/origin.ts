import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.js';

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const OWN_SITES: readonly string[] = ['same-origin', 'none'];

/** The URL that browsers open, without a trailing slash. With PORT=0 the port is known only after the start, so do not store the result. */
export const publicUrlOf = (config: Pick<Config, 'PUBLIC_URL' | 'PORT'>): string => config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;

/** Whether a URL leads to the machine of the browser that opens it. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.includes(hostname);

/** The origins of our own pages: the public one and, for a loopback name, the other loopback names. */
function ownOrigins(publicUrl: string): readonly string[] {
  const url = new URL(publicUrl);
  if (!isLoopback(url)) return [url.origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  return LOOPBACK.map((name) => `${url.protocol}//${name}${port}`);
}

/**
 * True when a browser sent the request from another site's page (`Sec-Fetch-Site`, `Origin`). A request without these headers does not come from a
 * browser and is not foreign. Checked for unsafe methods, signed PUTs and socket handshakes.
 */
export function isForeignOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && (typeof site !== 'string' || !OWN_SITES.includes(site))) return true;
  return headers.origin !== undefined && !ownOrigins(publicUrl).includes(headers.origin);
}
