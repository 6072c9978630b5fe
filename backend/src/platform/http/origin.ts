import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const OWN_SITES: readonly string[] = ['same-origin', 'none'];

/** Where browsers open the program, without a slash at its end. The port may be known only after the start (PORT=0): ask at each use. */
export const publicUrlOf = (config: Pick<Config, 'PUBLIC_URL' | 'PORT'>): string => config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;

/** The origins that pages of ours have: the public one, and on a loopback name the others too. */
function ownOrigins(publicUrl: string): readonly string[] {
  const url = new URL(publicUrl);
  if (!LOOPBACK.includes(url.hostname)) return [url.origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  return LOOPBACK.map((name) => `${url.protocol}//${name}${port}`);
}

/**
 * True when a browser sent the request from a page that is not ours (`Sec-Fetch-Site`, `Origin`). A request with neither header comes from no browser
 * and is not foreign. Asked for unsafe methods, signed PUTs and socket handshakes.
 */
export function isForeignOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && (typeof site !== 'string' || !OWN_SITES.includes(site))) return true;
  return headers.origin !== undefined && !ownOrigins(publicUrl).includes(headers.origin);
}
