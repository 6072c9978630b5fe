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

/** Oneself. `profileCompletion` 0 leads to the welcome page. */
export interface SelfView extends PersonView {
  readonly email: string;
  readonly dateAdded: Instant;
  readonly profileCompletion: number;
  readonly isGuest: boolean;
}

export type StaffRole = 'admin' | 'support' | 'analyst';

/** What login, guest and session answer. */
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

/** What erasing a person did; a repeat says what it completed. */
export interface UserErasedAnswer {
  readonly erased: Uid;
  /** Their projects in which nobody else was: gone, with the key to everything in them. */
  readonly removedProjects: readonly Id[];
  /** Their projects that others are in, and the others' that they were in: these stay, without them. */
  readonly keptProjects: readonly Id[];
}

/** A person's name as it is shown: first and last name, else the username. */
export const fullName = (person: Pick<PersonView, 'firstName' | 'lastName' | 'username'>): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ') || person.username;

/** How an address names a person: lower-cased, spaces to hyphens. */
export const usernameSlug = (username: string): string => username.toLowerCase().replaceAll(' ', '-');

/** Stands for the author of an id that never was. */
export const UNKNOWN_USER = '[unknown user]';
export const REMOVED_USER = '[removed user]';
