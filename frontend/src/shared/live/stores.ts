import type { PersonView } from '@roughmix/contracts/users/user.view.js';
import type { TopicKey } from './topics';

/** A value that components can subscribe to. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The live connection: not wanted, connecting for the first time, connected, without a network, or lost and reconnecting. */
export type LiveState = 'idle' | 'connecting' | 'online' | 'offline' | 'reconnecting';
/** Who is present in each room that this tab is in. */
export type PresenceByTopic = ReadonlyMap<TopicKey, readonly PersonView[]>;
