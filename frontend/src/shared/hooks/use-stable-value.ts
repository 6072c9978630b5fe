import { useState } from 'react';

/** Returns the previous value while the new one is equal, so that memoized results stay valid. */
export function useStableValue<Value>(value: Value, isSame: (previous: Value, value: Value) => boolean): Value {
  const [previous, setPrevious] = useState(value);
  if (previous === value || isSame(previous, value)) return previous;
  setPrevious(value);
  return value;
}

export const isSameMap = <Key, Value>(a: ReadonlyMap<Key, Value>, b: ReadonlyMap<Key, Value>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.has(key) && b.get(key) === value);
