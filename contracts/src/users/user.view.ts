import type { Id, Instant, Uid } from '../shared/ids.js';

/** A person as others see them; `_id` and `uid` are equal. */
export interface PersonView {
  readonly _id: Uid;
  readonly uid: Uid;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly smallPhoto: string;
  readonly largePhoto: string;
  readonly photoURL: string;
}

/** The signed-in user. `profileCompletion` 0 leads to the welcome page. */
export interface SelfView extends PersonView {
  readonly email: string;
  readonly dateAdded: Instant;
  readonly profileCompletion: number;
  readonly isGuest: boolean;
}

export type StaffRole = 'admin' | 'support' | 'analyst';

/** The answer to login, guest and session. */
export interface SessionAnswer {
  readonly user: SelfView;
  readonly staffRole: StaffRole | null;
}
export interface UserAnswer {
  readonly user: SelfView;
}
export interface UsersAnswer {
  readonly users: readonly PersonView[];
}
export interface UserAddedAnswer {
  readonly message: 'Account Created.';
  readonly user: SelfView;
}

/** What erasing a person did; a repeat lists what it completed. */
export interface UserErasedAnswer {
  readonly erased: Uid;
  /** Their projects without other members: removed, and the keys to their contents destroyed. */
  readonly removedProjects: readonly Id[];
  /** Their projects with other members, and other people's projects they were in: kept, without them. */
  readonly keptProjects: readonly Id[];
}

/** A person's display name: first and last name, else the username. */
export const fullName = (person: Pick<PersonView, 'firstName' | 'lastName' | 'username'>): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ') || person.username;

/** A username in a URL: lower-cased, with hyphens for spaces. */
export const usernameSlug = (username: string): string => username.toLowerCase().replaceAll(' ', '-');

/** Shown for an id that never existed. */
export const UNKNOWN_USER = '[unknown user]';
/** Shown for an erased account. */
export const REMOVED_USER = '[removed user]';
/** Whether a person's account was erased; no username may contain brackets. */
export const isErased = (person: Pick<PersonView, 'username'>): boolean => person.username === REMOVED_USER;
