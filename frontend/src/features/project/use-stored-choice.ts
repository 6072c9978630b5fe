import { useState } from 'react';

function readChoice(key: string, fallback: boolean): boolean {
  try {
    const value = localStorage.getItem(key);
    return value === null ? fallback : value === 'yes';
  } catch {
    // Storage is blocked: use the default.
    return fallback;
  }
}

/** A boolean setting, stored in this browser. */
export function useStoredChoice(key: string, fallback: boolean): readonly [boolean, (choice: boolean) => void] {
  const [choice, setChoice] = useState(() => readChoice(key, fallback));
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
