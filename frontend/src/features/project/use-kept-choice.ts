import { useState } from 'react';

function kept(key: string, otherwise: boolean): boolean {
  try {
    const value = localStorage.getItem(key);
    return value === null ? otherwise : value === 'yes';
  } catch {
    // Storage is blocked: use the default.
    return otherwise;
  }
}

/** A boolean setting, stored in this browser. */
export function useKeptChoice(key: string, otherwise: boolean): readonly [boolean, (choice: boolean) => void] {
  const [choice, setChoice] = useState(() => kept(key, otherwise));
  const choose = (next: boolean) => {
    setChoice(next);
    try {
      localStorage.setItem(key, next ? 'yes' : 'no');
    } catch {
      // Storage is blocked: the choice lasts for this visit.
    }
  };
  return [choice, choose];
}
