import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { useState } from 'react';
import { useStableCallback } from '../hooks/use-stable-callback';
import { readStored, storageKey, writeStored } from './tab-storage';

/** Where a draft is stored: whose it is, and what it belongs to. */
export const draftKey = (uid: Uid, ...scope: readonly string[]): string => storageKey('draft', uid, ...scope);

/** Takes a stored draft out of this tab; null when there is none. */
export function takeDraft<T>(key: string): T | null {
  const draft = readStored<T>(key);
  if (draft !== null) writeStored(key, null);
  return draft;
}

/** A value that survives a reload and leaving the page, and ends with the session. One that `isEmpty` is not stored. */
export function useStored<T>(key: string, empty: T, isEmpty: (value: T) => boolean): readonly [T, (value: T) => void] {
  const [value, setValue] = useState(() => readStored<T>(key) ?? empty);
  const save = useStableCallback((next: T) => {
    setValue(next);
    writeStored(key, isEmpty(next) ? null : next);
  });
  return [value, save];
}

const isWithoutText = ({ text }: { readonly text: string }) => text === '';

/** A draft, stored while it has text. */
export const useDraft = <T extends { readonly text: string }>(key: string, empty: T): readonly [T, (draft: T) => void] => useStored(key, empty, isWithoutText);
