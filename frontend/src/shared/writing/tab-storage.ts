import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** What is stored: drafts, and what waits in an outbox. */
type Kind = 'draft' | 'outbox';

const KINDS: readonly Kind[] = ['draft', 'outbox'];

/** The key of something that one account wrote; `scope` says what it belongs to, such as a project and a comment in it. */
export const storageKey = (kind: Kind, uid: Uid, ...scope: readonly string[]): string => ['roughmix', kind, uid, ...scope].join('.');

/** Reads what this tab stored; null for nothing, and where storage is blocked. */
export function readStored<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    // Blocked or unreadable: start empty.
    return null;
  }
}

/** Stores a value until the tab is closed; null removes it. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or blocked: the value lives as long as the page.
  }
}

/** Removes what this tab stored for every account but `uid`; null removes everything. */
export function removeStored(uid: Uid | null): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      const isWriting = KINDS.some((kind) => key.startsWith(`roughmix.${kind}.`));
      const isKept = uid !== null && KINDS.some((kind) => key.startsWith(`${storageKey(kind, uid)}.`));
      if (isWriting && !isKept) sessionStorage.removeItem(key);
    }
  } catch {
    // Blocked: nothing was stored.
  }
}
