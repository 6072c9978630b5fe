import type { Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { completionOf, type UserCover, type UserNames, type UserPhoto } from '@roughmix/contracts/users/user.events.js';
import { DEFAULT_SETTINGS, NO_INFO, REMOVED_USER, type UserInfo, type UserSettings } from '@roughmix/contracts/users/user.view.js';
import { lookalikeKeys } from './lookalikes.js';
import type { Registration } from './user.decider.js';
import { slugsAtFirst, type UserSlugs } from './user-slugs.js';

export const USERS = 'users';

/** How users see themselves. */
export const PROFILES = 'profiles';

/** A user as others see them. The email address is stored only in the vault. */
export interface UserDocument extends UserNames, UserSlugs {
  readonly uid: Uid;
  readonly guest: boolean;
  readonly dateAdded: Instant;
  /** The account was erased: only the uid remains. */
  readonly erased: boolean;
  /** The profile is complete: before that, others see neither the page nor a search result. */
  readonly isComplete: boolean;
  /** Null: the face drawn from the uid. */
  readonly photo: UserPhoto | null;
  readonly isHiddenFromSearch: boolean;
  /** The search terms that match: all prefixes of the names and of the words in them. Empty for the guest, for people who hide and before the profile is complete. */
  readonly searchKeys: readonly string[];
  /** By which usernames that look like theirs are found. */
  readonly lookalikeKeys: readonly string[];
  readonly position: Position;
}

/** What others do not see in lists of people. */
export interface ProfileDocument {
  readonly uid: Uid;
  readonly info: UserInfo;
  readonly settings: UserSettings;
  readonly cover: UserCover | null;
  readonly profileCompletion: number;
  /** Whether they get the daily digest: for finding everyone who does. */
  readonly wantsDigest: boolean;
  readonly position: Position;
}

/** A user right after the registration. */
export const registeredUser = (data: Registration, dateAdded: Instant, position: Position): UserDocument =>
  withKeys({
    uid: data.uid,
    username: data.username,
    firstName: data.firstName,
    lastName: data.lastName,
    guest: data.guest,
    dateAdded,
    erased: false,
    isComplete: completionOf(data) === 1,
    ...slugsAtFirst(data),
    photo: null,
    isHiddenFromSearch: false,
    searchKeys: [],
    lookalikeKeys: [],
    position,
  });

/** Their profile at that time. */
export const registeredProfile = (data: Registration, position: Position): ProfileDocument => ({
  uid: data.uid,
  info: NO_INFO,
  settings: DEFAULT_SETTINGS,
  cover: null,
  profileCompletion: completionOf(data),
  wantsDigest: DEFAULT_SETTINGS.mailNotifs.digest,
  position,
});

/** A user whose search terms and keys of lookalikes follow from the other fields. */
export const withKeys = (user: UserDocument): UserDocument => ({
  ...user,
  searchKeys: user.guest || user.isHiddenFromSearch || !user.isComplete ? [] : searchKeysOf(user),
  lookalikeKeys: lookalikeKeys(user, user.slugs),
});

/** The placeholder of an erased user. */
export const erasedUser = (uid: Uid, position: Position): UserDocument => ({
  uid,
  username: REMOVED_USER,
  firstName: '',
  lastName: '',
  guest: false,
  dateAdded: 0,
  erased: true,
  isComplete: false,
  slugs: [],
  hasDerivedUsername: false,
  photo: null,
  isHiddenFromSearch: true,
  searchKeys: [],
  lookalikeKeys: [],
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
