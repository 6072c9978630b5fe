import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents, UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { CommandOf, Decider } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';

/** A person as they registered. */
export type Registration = UserEvents['UserRegistered'];

export interface UserState {
  /** Null before the registration. */
  readonly person: (Registration & { readonly dateAdded: Instant }) | null;
}

export type UserCommand = CommandOf<{ RegisterUser: Registration }>;

/** The stream of a person, `user-<uid>`. People are registered by the system alone, and only once. */
export const userDecider: Decider<UserState, UserCommand, UserStreamEvent> = {
  name: 'user',
  version: 1,
  initial: () => ({ person: null }),
  evolve: (_state, { data, meta }) => ({ person: { ...data, dateAdded: meta.at } }),
  decide: ({ data }, state, actor) => {
    if (actor.uid !== null) return refuse('actor.mismatch');
    return state.person === null ? [{ type: 'UserRegistered', data }] : [];
  },
  sees: (state, actor) => (actor.uid === null || state.person === null || actor.uid === state.person.uid ? null : refuse('user.not-found')),
};
