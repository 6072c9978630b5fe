import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';

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

/** How the live connection stands: none wanted, the first one on its way, there, without a network, or lost and being made again. */
export type LiveState = 'idle' | 'connecting' | 'online' | 'offline' | 'reconnecting';
/** Who looks at each project that this tab is in. */
export type HereByProject = ReadonlyMap<Id, readonly PersonView[]>;
