import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { useCallback, useState } from 'react';

/** What somebody has begun to write. */
export interface Draft {
  readonly text: string;
  readonly stamp: Stamp | null;
}

export const NO_DRAFT: Draft = { text: '', stamp: null };

/** Reads what this tab kept; null for nothing, and where storage is blocked. */
export function readKept<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    // Blocked, or not ours: begin anew.
    return null;
  }
}

/** Keeps a value for as long as this tab lives; null forgets it. */
export function writeKept(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or blocked: what is typed lives as long as the page.
  }
}

/** Where somebody's draft of a project is kept; `parentId` names the comment that it answers, null for none. */
export const draftKey = (uid: Uid, projectId: Id, parentId: Id | null): string =>
  `roughmix.draft.${uid}.${projectId}${parentId === null ? '' : `.${parentId}`}`;

/** A draft that survives leaving and reloading the page. */
export function useDraft(key: string): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => readKept<Draft>(key) ?? NO_DRAFT);
  const keep = useCallback(
    (next: Draft) => {
      setDraft(next);
      writeKept(key, next.text === '' ? null : next);
    },
    [key],
  );
  return [draft, keep];
}
