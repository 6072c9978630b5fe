import type { EventClasses, EventOf } from '../shared/field-classes.js';
import type { Uid } from '../shared/ids.js';

/** The stream of a person, `user-<uid>`. Their e-mail address is kept in the vault only. */
export interface UserEvents {
  UserRegistered: { readonly uid: Uid; readonly username: string; readonly firstName: string; readonly lastName: string; readonly guest: boolean };
  /** By the system, irreversible: the key of their names is destroyed. The uid remains as a pseudonym. */
  UserErased: { readonly uid: Uid };
}

const ofThemselves = { personal: 'uid' } as const;

export const USER_EVENT_CLASSES: EventClasses<UserEvents> = {
  UserRegistered: { uid: 'plain', username: ofThemselves, firstName: ofThemselves, lastName: ofThemselves, guest: 'plain' },
  UserErased: { uid: 'plain' },
};

export type UserStreamEvent = EventOf<UserEvents>;

/** The stream of a person. */
export const userStream = (uid: Uid): string => `user-${uid}`;
