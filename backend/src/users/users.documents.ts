import type { Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { REMOVED_USER } from '@roughmix/contracts/users/user.view.js';

export const USERS = 'users';

/** A user as others see them. The email address is stored only in the vault. */
export interface UserDocument {
  readonly uid: Uid;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly guest: boolean;
  readonly dateAdded: Instant;
  /** The account was erased: only the uid remains. */
  readonly erased: boolean;
  /** The search terms that match: all prefixes of the names and of the words in them. Empty for the guest. */
  readonly searchKeys: readonly string[];
  readonly position: Position;
}

/** The placeholder of an erased user. */
export const erasedUser = (uid: Uid, position: Position): UserDocument => ({
  uid,
  username: REMOVED_USER,
  firstName: '',
  lastName: '',
  guest: false,
  dateAdded: 0,
  erased: true,
  searchKeys: [],
  position,
});

/** Normal form of names and queries for comparison: no case, no accents, single spaces. */
export const searchForm = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

/** Every prefix, from the minimum query length on, of the names and of each word in them. */
export function searchKeysOf(person: Pick<UserDocument, 'username' | 'firstName' | 'lastName'>): readonly string[] {
  const whole = [person.username, `${person.firstName} ${person.lastName}`, person.lastName].map(searchForm);
  const starts = new Set([...whole, ...whole.flatMap((name) => name.split(/[ .'-]+/))]);
  const keys = new Set<string>();
  for (const start of starts) {
    for (let length = LIMITS.searchMin; length <= Math.min(start.length, LIMITS.search); length += 1) keys.add(start.slice(0, length));
  }
  return [...keys];
}
