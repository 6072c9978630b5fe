import type { Instant } from '@roughmix/contracts/shared/ids.js';
import type { UserEvents, UserStreamEvent } from '@roughmix/contracts/users/user.events.js';
import type { CommandOf, Decider, Stored } from '../kernel/decider.js';
import { refuse } from '../kernel/refusal.js';

/** A user as registered. */
export type Registration = UserEvents['UserRegistered'];

export interface UserState {
  /** Null before the registration and after the erasure. */
  readonly person: (Registration & { readonly dateAdded: Instant }) | null;
  readonly erased: boolean;
}

export type UserCommand = CommandOf<{ RegisterUser: Registration; EraseUser: { readonly uid: string } }>;

function evolve(_state: UserState, { type, data, meta }: Stored<UserStreamEvent>): UserState {
  return type === 'UserErased' ? { person: null, erased: true } : { person: { ...data, dateAdded: meta.at }, erased: false };
}

/** A user's stream, `user-<uid>`. Only the system registers users, once, and erases them, permanently. */
export const userDecider: Decider<UserState, UserCommand, UserStreamEvent> = {
  name: 'user',
  version: 2,
  initial: () => ({ person: null, erased: false }),
  evolve,
  decide: (command, state, actor) => {
    if (actor.uid !== null) return refuse('actor.mismatch');
    if (command.type === 'RegisterUser') return state.person === null && !state.erased ? [{ type: 'UserRegistered', data: command.data }] : [];
    return state.person === null ? [] : [{ type: 'UserErased', data: command.data }];
  },
  sees: (state, actor) => (actor.uid === null || state.person === null || actor.uid === state.person.uid ? null : refuse('user.not-found')),
};
