import { LIMITS } from '../shared/limits.js';
import { EVERYONE } from '../shared/mentions.js';
import { cutText } from '../shared/visible-text.js';
import type { UserNames } from './user.events.js';
import { usernameSlug } from './user.view.js';

/** Letters of any script, digits, space, `.`, `-`, `'`, but none that is drawn as nothing. No underscore: mentions are parsed by name. */
const OTHER_CHARACTERS = /[^\p{L}\p{M}\p{Nd} .'-]|\p{Default_Ignorable_Code_Point}/gu;

type PersonNames = Pick<UserNames, 'firstName' | 'lastName'>;

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

/** The preferred username of a person who chose none: first plus last name. May be too short or empty. */
const preferred = ({ firstName, lastName }: PersonNames): string => tidy(tidy(`${firstName} ${lastName}`).replace(OTHER_CHARACTERS, ''));

const cut = (text: string, most: number): string => cutText(text, most).trim();

/**
 * Username candidates for a person who chose none, best first and without end: the preferred name, then the name followed by 2, 3, …
 * Each has 3 to 30 characters and is not reserved; the caller takes the first free one.
 */
export function* derivedUsernames(names: PersonNames): Generator<string, never> {
  const name = preferred(names);
  const whole = cut(name, LIMITS.username);
  if (whole.length >= LIMITS.usernameMin && !isReservedUsername(whole)) yield whole;
  for (let number = 2; ; number += 1) {
    const candidate = numbered(name, String(number));
    if (candidate.length >= LIMITS.usernameMin) yield candidate;
  }
}

const numbered = (name: string, number: string): string => `${cut(name, LIMITS.username - number.length)}${number}`;

/**
 * Whether a username is one that {@link derivedUsernames} yields for the names, so that nobody chose it. Always true without names: such accounts start with
 * a username that was made up, in earlier versions from the e-mail address.
 */
export function isDerivedUsername({ username, firstName, lastName }: UserNames): boolean {
  if (firstName === '' && lastName === '') return true;
  const name = preferred({ firstName, lastName });
  if (username === cut(name, LIMITS.username)) return true;
  for (let start = username.length - 1; '0123456789'.includes(username.at(start) ?? ' ') && start >= 0; start -= 1) {
    const number = username.slice(start);
    if (number !== '1' && !number.startsWith('0') && username === numbered(name, number)) return true;
  }
  return false;
}
