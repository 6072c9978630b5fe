import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { systemCode } from '../durable-file.js';
import { isStrongKey, KEY_REQUIREMENT } from '../auth/key-strength.js';
import { isOneAddress } from '../mail/email-message.js';

/** Parses the text of one variable, undefined if it is not set. @throws Error with the variable's name and the expected form, never the value */
export type Form<Value> = (text: string | undefined) => Value;

const ROLES = ['web', 'projector', 'reactor'] as const;
export type AppRole = (typeof ROLES)[number];

const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const SENDER = /^(?:[^\s<>@]+@[^\s<>@]+|[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>)$/;
/** Names of ranges that `proxies` accepts. */
const RANGE_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** A whole number between two bounds. */
export const whole =
  (name: string, fallback: number, min: number, max: number): Form<number> =>
  (text) => {
    const value = text === undefined ? fallback : Number(text);
    if (!Number.isInteger(value) || value < min || value > max) throw new Error(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  };

/** A whole number between two bounds, or nothing. */
export const wholeOrNone =
  (name: string, min: number, max: number): Form<number | null> =>
  (text) =>
    text === undefined ? null : whole(name, min, min, max)(text);

/** One of a list of words. */
export const oneOf =
  <const Word extends string>(name: string, words: readonly Word[], fallback: Word): Form<Word> =>
  (text) => {
    const word = words.find((each) => each === (text ?? fallback));
    if (word === undefined) throw new Error(`${name} must be one of ${words.join(', ')}`);
    return word;
  };

/** The absolute path of a file, or nothing. */
export const fileOrNone: Form<string | null> = (text) => (text === undefined ? null : resolve(text));

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** The certificates (PEM) in a file, or nothing. */
export const certificatesIn =
  (name: string): Form<string | null> =>
  (file) => {
    if (file === undefined) return null;
    const pem = textIn(name, file);
    if (!isCertificate(pem)) throw new Error(`${name}: ${file} contains no certificate in PEM`);
    return pem;
  };

/** The text of a file that a variable names. */
export function textIn(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${name}: ${file} cannot be read (${systemCode(error) ?? 'no file'})`, { cause: error });
  }
}

/** A folder, as an absolute path. */
export const folder =
  (fallback: string): Form<string> =>
  (text) =>
    resolve(text ?? fallback);

/** An address or a name to listen on. */
export const host =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (isIP(text) === 0 && !HOST_NAME.test(text)) throw new Error(`${name} must be an address or a host name to listen on`);
    return text;
  };

/** A site's origin. Paths are refused, because cookies, routes and origins belong to the whole site. */
export const origin =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new Error(`${name} must start with http:// or https://`);
    const address = new URL(text);
    const isMore = address.pathname !== '/' || [address.search, address.hash, address.username, address.password].some((part) => part !== '');
    if (isMore) throw new Error(`${name} must not contain a path, a query or credentials`);
    return address.origin;
  };

/** The address of a mail server. */
export const mailServer =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    const isOne = URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';
    if (!isOne) throw new Error(`${name} must start with smtp:// or smtps:// and name a server`);
    return text;
  };

/** The sender of e-mails, an address with or without a name, or nothing. */
export const senderOrNone =
  (name: string): Form<string | null> =>
  (text) => {
    if (text !== undefined && !SENDER.test(text)) throw new Error(`${name} must be an address, or a name and <an address>`);
    return text ?? null;
  };

/** One e-mail address; null if unset. */
export const oneAddress =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    if (!isOneAddress(text)) throw new Error(`${name} must be one e-mail address`);
    return text;
  };

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Proxies: comma-separated addresses or ranges, or how many of them a request passes, whatever their addresses. */
export const proxies =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined || /^[1-9]$/.test(text)) return text ?? null;
    const each = text.split(',').map((part) => part.trim());
    if (!each.every((part) => RANGE_NAMES.includes(part) || isRange(part))) {
      throw new Error(`${name}: addresses, ranges as in 10.0.0.0/8, or ${RANGE_NAMES.join(', ')}, separated by commas, or the number of proxies`);
    }
    return each.join(',');
  };

/** A secret with enough entropy. */
export const secretKey =
  (name: string): Form<string | null> =>
  (text) => {
    if (text !== undefined && !isStrongKey(text)) throw new Error(`${name} needs ${KEY_REQUIREMENT}`);
    return text ?? null;
  };

/** The roles of the process. */
export const roles =
  (name: string): Form<readonly AppRole[]> =>
  (text = ROLES.join(',')) => {
    const named = text.split(',').map((role) => role.trim());
    if (named.some((role) => !ROLES.some((each) => each === role))) throw new Error(`${name} must be some of ${ROLES.join(', ')}`);
    return ROLES.filter((role) => named.includes(role));
  };

/** A server's URL with one of these schemes. */
export const server =
  (name: string, ...schemes: readonly string[]): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    // Drivers accept lists of hosts with ports, which are not valid URLs.
    const [scheme, rest = ''] = text.split('://', 2);
    const isOne = schemes.includes(scheme ?? '') && /^(?:[^\s/?@]*@)?[^\s/?@]+(?:[/?]\S*)?$/.test(rest);
    if (!isOne) throw new Error(`${name} must start with ${schemes.map((each) => `${each}://`).join(' or ')} and name a server`);
    return text;
  };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The name of a bucket. */
export const bucket =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (!BUCKET.test(text)) throw new Error(`${name} must be 3 to 63 lower-case letters, digits, dots and dashes`);
    return text;
  };

/** Text without spaces, such as a region, a key id or a secret. */
export const word =
  (name: string): Form<string | null> =>
  (text) => {
    if (text !== undefined && /\s/.test(text)) throw new Error(`${name} must not contain spaces`);
    return text ?? null;
  };

const HOST_AND_PORT = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):\d{1,5}$/i;
const TOPIC = /^(?!\.{1,2}$)[a-z0-9._-]{1,249}$/i;

/** Hosts with ports, as `HOST:PORT`, or none. */
export const hostsWithPorts =
  (name: string): Form<readonly string[] | null> =>
  (text) => {
    if (text === undefined) return null;
    const each = text.split(',').map((part) => part.trim());
    if (!each.every((part) => HOST_AND_PORT.test(part))) throw new Error(`${name} must be HOST:PORT, separated by commas`);
    return each;
  };

/** The name of a Kafka topic. */
export const topic =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (!TOPIC.test(text)) throw new Error(`${name} must be at most 249 letters, digits, dots, dashes and underscores`);
    return text;
  };

const BASE64URL = /^[\w-]+$/;

/** A raw key of some bytes in base64url, as `npx web-push generate-vapid-keys` prints them. */
export const rawKey =
  (name: string, bytes: number): Form<string | null> =>
  (text) => {
    const isOne = text === undefined || (BASE64URL.test(text) && Buffer.from(text, 'base64url').length === bytes);
    if (!isOne) throw new Error(`${name} must be ${bytes} bytes in base64url`);
    return text ?? null;
  };
