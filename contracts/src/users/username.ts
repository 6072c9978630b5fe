import { LIMITS } from '../shared/limits.js';
import { EVERYONE } from '../shared/mentions.js';
import { usernameSlug } from './user.view.js';

/** Letters of any script, digits, space, `.`, `-`, `'`. No underscore: mentions are parsed by name. */
const OTHER_CHARACTERS = /[^\p{L}\p{M}\p{Nd} .'-]/gu;

const tidy = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** A chosen username in the form it is kept in, null when it may not be one: 3 to 30 of the characters a username may have. */
export function usernameFrom(text: string): string | null {
  const username = tidy(text);
  const fits = username.length >= LIMITS.usernameMin && username.length <= LIMITS.username && username.search(OTHER_CHARACTERS) === -1;
  return fits ? username : null;
}

/** True for names that stand for somebody else: the mention of all. */
export const isReservedUsername = (username: string): boolean => usernameSlug(username) === usernameSlug(EVERYONE);

/** A person's username when they chose none: first plus last name, else the part of the email address before the @; may be too short or empty. */
function wished({ firstName, lastName, email }: { readonly firstName: string; readonly lastName: string; readonly email: string }): string {
  const name = `${firstName} ${lastName}`.trim();
  const text = name === '' ? (email.split('@')[0] ?? '') : name;
  return tidy(tidy(text).replace(OTHER_CHARACTERS, ''));
}

/** The longest beginning of at most `most` UTF-16 units that cuts no character in two. */
function cut(text: string, most: number): string {
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > most) break;
    kept += character;
  }
  return kept.trim();
}

/**
 * What a person without a chosen username may be called, best first and without end: the wished name, then the name with 2, 3, … behind it.
 * Each is 3 to 30 long and not reserved; the caller takes the first that is free.
 */
export function* derivedUsernames(person: { readonly firstName: string; readonly lastName: string; readonly email: string }): Generator<string, never> {
  const wish = wished(person);
  const whole = cut(wish, LIMITS.username);
  if (whole.length >= LIMITS.usernameMin && !isReservedUsername(whole)) yield whole;
  for (let number = 2; ; number += 1) {
    const candidate = `${cut(wish, LIMITS.username - String(number).length)}${number}`;
    if (candidate.length >= LIMITS.usernameMin) yield candidate;
  }
}
