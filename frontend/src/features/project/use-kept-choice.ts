import { useState } from 'react';

function kept(key: string, otherwise: boolean): boolean {
  try {
    const value = localStorage.getItem(key);
    return value === null ? otherwise : value === 'yes';
  } catch {
    // Storage is blocked: every visit begins with the usual choice.
    return otherwise;
  }
}

/** A yes or no that this browser remembers. */
export function useKeptChoice(key: string, otherwise: boolean): readonly [boolean, (choice: boolean) => void] {
  const [choice, setChoice] = useState(() => kept(key, otherwise));
  const choose = (next: boolean) => {
    setChoice(next);
    try {
      localStorage.setItem(key, next ? 'yes' : 'no');
    } catch {
      // Storage is blocked: the choice holds for this visit.
    }
  };
  return [choice, choose];
}
