import { useState } from 'react';

/** The value that was there first of several that say the same, so that what is made of it stays too. */
export function useKept<Value>(value: Value, isSame: (kept: Value, value: Value) => boolean): Value {
  const [kept, keep] = useState(value);
  if (kept === value || isSame(kept, value)) return kept;
  keep(value);
  return value;
}

export const isSameMap = <Key, Value>(a: ReadonlyMap<Key, Value>, b: ReadonlyMap<Key, Value>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.has(key) && b.get(key) === value);
