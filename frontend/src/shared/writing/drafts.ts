import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useCallback, useState } from 'react';
import { readStored, storageKey, writeStored } from './tab-storage';

/** Where a draft is stored: whose it is, and what it belongs to. */
export const draftKey = (uid: Uid, ...scope: readonly string[]): string => storageKey('draft', uid, ...scope);

/** Takes a stored draft out of this tab; null when there is none. */
export function takeDraft<T>(key: string): T | null {
  const draft = readStored<T>(key);
  if (draft !== null) writeStored(key, null);
  return draft;
}

/** A draft that survives a reload and leaving the page, and ends with the session. A draft without text is not stored. */
export function useDraft<T extends { readonly text: string }>(key: string, empty: T): readonly [T, (draft: T) => void] {
  const [draft, setDraft] = useState(() => readStored<T>(key) ?? empty);
  const save = useCallback(
    (next: T) => {
      setDraft(next);
      writeStored(key, next.text === '' ? null : next);
    },
    [key],
  );
  return [draft, save];
}
