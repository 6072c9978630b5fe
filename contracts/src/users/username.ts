import { LIMITS } from '../shared/limits.js';
import { EVERYONE } from '../shared/mentions.js';
import { usernameSlug } from './user.view.js';

/** Letters of any script, digits, space, `.`, `-`, `'`. No underscore: mentions are parsed by name. */
const OTHER_CHARACTERS = /[^\p{L}\p{M}\p{Nd} .'-]/gu;

/** Phones type a curly apostrophe. */
const straighten = (text: string): string => text.normalize('NFC').replaceAll('\u2019', "'");

const tidy = (text: string): string => straighten(text).replace(/\s+/g, ' ').trim();

/**
 * Normalises a chosen username, whose spaces within stay and whose apostrophes become straight; null unless it has 3 to 30 characters, all of them allowed.
 * Only spaces are spaces here: a tab is not allowed.
 */
export function usernameFrom(text: string): string | null {
  const username = straighten(text.trim());
  const fits = username.length >= LIMITS.usernameMin && username.length <= LIMITS.username && username.search(OTHER_CHARACTERS) === -1;
  return fits ? username : null;
}

/** Slugs with a meaning of their own: the mention of everyone, and the first parts of addresses. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  usernameSlug(EVERYONE),
  'api',
  'docs',
  'health',
  'assets',
  'groups',
  'projects',
  'terms',
  'login',
  'socket.io',
]);

/** True for names that nobody can have. */
export const isReservedUsername = (username: string): boolean => RESERVED_SLUGS.has(usernameSlug(username));

/** The preferred username of a person who chose none: first plus last name, else the e-mail address up to the @. May be too short or empty. */
function preferred({ firstName, lastName, email }: { readonly firstName: string; readonly lastName: string; readonly email: string }): string {
  const name = `${firstName} ${lastName}`.trim();
  const text = name === '' ? (email.split('@')[0] ?? '') : name;
  return tidy(tidy(text).replace(OTHER_CHARACTERS, ''));
}

/** The longest prefix of at most `most` UTF-16 units that splits no character. */
function cut(text: string, most: number): string {
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > most) break;
    kept += character;
  }
  return kept.trim();
}

/**
 * Username candidates for a person who chose none, best first and without end: the preferred name, then the name followed by 2, 3, …
 * Each has 3 to 30 characters and is not reserved; the caller takes the first free one.
 */
export function* derivedUsernames(person: { readonly firstName: string; readonly lastName: string; readonly email: string }): Generator<string, never> {
  const name = preferred(person);
  const whole = cut(name, LIMITS.username);
  if (whole.length >= LIMITS.usernameMin && !isReservedUsername(whole)) yield whole;
  for (let number = 2; ; number += 1) {
    const candidate = `${cut(name, LIMITS.username - String(number).length)}${number}`;
    if (candidate.length >= LIMITS.usernameMin) yield candidate;
  }
}
