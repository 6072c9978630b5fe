import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isStrongKey, KEY_REQUIREMENT } from '../auth/key-strength.js';

/** Reads the text of one variable, undefined when it is not set. @throws Error that names the variable and what it must look like, never its value */
export type Form<Value> = (text: string | undefined) => Value;

const ROLES = ['web', 'projector', 'reactor'] as const;
export type AppRole = (typeof ROLES)[number];

const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const SENDER = /^(?:[^\s<>@]+@[^\s<>@]+|[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>)$/;
/** The names that proxies' addresses may be given by, besides addresses and ranges. */
const RANGE_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** A whole number between two bounds. */
export const whole =
  (name: string, fallback: number, least: number, most: number): Form<number> =>
  (text) => {
    const value = text === undefined ? fallback : Number(text);
    if (!Number.isInteger(value) || value < least || value > most) throw new Error(`${name}: a whole number from ${least} to ${most}`);
    return value;
  };

/** A whole number between two bounds, or nothing. */
export const wholeOrNone =
  (name: string, least: number, most: number): Form<number | null> =>
  (text) =>
    text === undefined ? null : whole(name, least, least, most)(text);

/** One of a list of words. */
export const oneOf =
  <const Word extends string>(name: string, words: readonly Word[], fallback: Word): Form<Word> =>
  (text) => {
    const word = words.find((each) => each === (text ?? fallback));
    if (word === undefined) throw new Error(`${name}: one of ${words.join(', ')}`);
    return word;
  };

/** The absolute path of a file, or nothing. */
export const fileOrNone: Form<string | null> = (text) => (text === undefined ? null : resolve(text));

/** A folder, as an absolute path. */
export const folder =
  (fallback: string): Form<string> =>
  (text) =>
    resolve(text ?? fallback);

/** An address or a name to listen on. */
export const host =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (isIP(text) === 0 && !HOST_NAME.test(text)) throw new Error(`${name}: an address or a name to listen on`);
    return text;
  };

/** Where browsers open it: scheme, name and port alone, because cookies, paths and origins are those of a whole site. */
export const origin =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new Error(`${name}: an address that begins with http:// or https://`);
    const address = new URL(text);
    const isMore = address.pathname !== '/' || [address.search, address.hash, address.username, address.password].some((part) => part !== '');
    if (isMore) throw new Error(`${name}: without a path, a query or a user`);
    return address.origin;
  };

/** The address of a mail server. */
export const mailServer =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    const isOne = URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '';
    if (!isOne) throw new Error(`${name}: an address that begins with smtp:// or smtps:// and names a server`);
    return text;
  };

/** The sender of e-mails: an address, or a name and an address in angle brackets. */
export const sender =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (!SENDER.test(text)) throw new Error(`${name}: an address, or a name and <an address>`);
    return text;
  };

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Proxies: addresses or ranges, comma-separated, without spaces. */
export const proxies =
  (name: string): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    const each = text.split(',').map((part) => part.trim());
    if (!each.every((part) => RANGE_NAMES.includes(part) || isRange(part))) {
      throw new Error(`${name}: addresses, ranges as in 10.0.0.0/8, or ${RANGE_NAMES.join(', ')}, comma-separated`);
    }
    return each.join(',');
  };

/** A secret that nobody guesses. */
export const secretKey =
  (name: string): Form<string | null> =>
  (text) => {
    if (text !== undefined && !isStrongKey(text)) throw new Error(`${name}: ${KEY_REQUIREMENT}`);
    return text ?? null;
  };

/** What a process does. */
export const roles =
  (name: string): Form<readonly AppRole[]> =>
  (text = ROLES.join(',')) => {
    const asked = text.split(',').map((role) => role.trim());
    if (asked.some((role) => !ROLES.some((each) => each === role))) throw new Error(`${name}: some of ${ROLES.join(', ')}`);
    return ROLES.filter((role) => asked.includes(role));
  };

/** The address of a server by one of some schemes. */
export const server =
  (name: string, ...schemes: readonly string[]): Form<string | null> =>
  (text) => {
    if (text === undefined) return null;
    // A list of hosts with ports is no URL by the standard, and drivers take it.
    const [scheme, rest = ''] = text.split('://', 2);
    const isOne = schemes.includes(scheme ?? '') && /^(?:[^\s/?@]*@)?[^\s/?@]+(?:[/?]\S*)?$/.test(rest);
    if (!isOne) throw new Error(`${name}: an address that begins with ${schemes.map((each) => `${each}://`).join(' or ')} and names a server`);
    return text;
  };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** The name of a bucket. */
export const bucket =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (!BUCKET.test(text)) throw new Error(`${name}: 3 to 63 small letters, digits, dots and dashes`);
    return text;
  };

/** Words without spaces, as servers give them: a region, a key's name, a secret. */
export const word =
  (name: string): Form<string | null> =>
  (text) => {
    if (text !== undefined && /\s/.test(text)) throw new Error(`${name}: without spaces`);
    return text ?? null;
  };

const BROKER = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):\d{1,5}$/i;
const TOPIC = /^(?!\.{1,2}$)[a-z0-9._-]{1,249}$/i;

/** Brokers of Kafka, or none. */
export const brokers =
  (name: string): Form<readonly string[] | null> =>
  (text) => {
    if (text === undefined) return null;
    const each = text.split(',').map((part) => part.trim());
    if (!each.every((part) => BROKER.test(part))) throw new Error(`${name}: HOST:PORT, comma-separated`);
    return each;
  };

/** The name of a topic of Kafka. */
export const topic =
  (name: string, fallback: string): Form<string> =>
  (text = fallback) => {
    if (!TOPIC.test(text)) throw new Error(`${name}: at most 249 letters, digits, dots, dashes and underscores`);
    return text;
  };
