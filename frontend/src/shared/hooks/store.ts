import { useSyncExternalStore } from 'react';

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

/** Selects from a store; the component re-renders only when the selection changes. */
export const useStore = <T, Selected>(store: Store<T>, select: (value: T) => Selected): Selected =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
