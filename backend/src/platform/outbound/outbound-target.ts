import { isIP } from 'node:net';
import { OutboundRefused } from './outbound-errors.js';

/** What an address that a user gave may look like. */
export interface TargetRules {
  readonly schemes: readonly ('http:' | 'https:')[];
  readonly ports: readonly number[];
  /** Whether an IP address may stand in place of a host name. */
  readonly mayBeAddress: boolean;
}

/** Push endpoints: https on port 443 of a host with a name. */
export const PUSH_TARGETS: TargetRules = { schemes: ['https:'], ports: [443], mayBeAddress: false };
/** Web pages: http and https on their own ports. */
export const PAGE_TARGETS: TargetRules = { schemes: ['http:', 'https:'], ports: [80, 443], mayBeAddress: true };

/** A checked URL: its host without brackets, its port, and whether OUTBOUND_ALLOW exempts it from the rules. */
export interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isExempt: boolean;
}

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/**
 * Checks the form of a URL; nothing is resolved or requested.
 * @param allowed hosts as `host:port` in lower case, IPv6 addresses in brackets; only credentials and other schemes than http and https are refused there
 * @throws OutboundRefused if the form breaks the rules
 */
export function targetOf(text: string, rules: TargetRules, allowed: ReadonlySet<string>): Target {
  if (!URL.canParse(text)) throw new OutboundRefused('form', 'not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundRefused('form', `the scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('form', 'credentials in the URL');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  const isExempt = allowed.has(`${url.hostname}:${port}`);
  if (!isExempt) {
    if (!rules.schemes.includes(url.protocol)) throw new OutboundRefused('form', `the scheme ${url.protocol}`);
    if (!rules.ports.includes(port)) throw new OutboundRefused('form', `port ${port}`);
    if (!rules.mayBeAddress && isIP(host) !== 0) throw new OutboundRefused('form', 'an IP address in place of a host name');
  }
  return { url, host, port, isExempt };
}
