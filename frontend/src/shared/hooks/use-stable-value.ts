import { useState } from 'react';

/** Returns the previous value while the new one is equal, so that memoized results stay valid. */
export function useStableValue<Value>(value: Value, isSame: (kept: Value, value: Value) => boolean): Value {
  const [kept, keep] = useState(value);
  if (kept === value || isSame(kept, value)) return kept;
  keep(value);
  return value;
}

export const isSameMap = <Key, Value>(a: ReadonlyMap<Key, Value>, b: ReadonlyMap<Key, Value>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.has(key) && b.get(key) === value);
