import type { Id, Instant, Uid } from '@roughmix/contracts/shared/ids.js';

export const USAGE = 'usage';
export const USAGE_FILES = 'usage-files';
export const USAGE_PROJECTS = 'usage-projects';

/** What a user uses, under their uid. */
export interface UsageDocument {
  /** Files that are not in the trash. */
  readonly bytes: number;
  /** Bytes in the trash, by the day on which they got there. */
  readonly trashed: Readonly<Record<string, number>>;
  readonly projects: number;
}

/** An uploaded file together with its copy for browsers, under the id of its version or comment. */
export interface UsageFile {
  readonly uid: Uid;
  readonly projectId: Id;
  readonly size: number;
  /** When it was removed. */
  readonly trashedOn: string | null;
}

/** A project that counts for its owner. */
export interface UsageProject {
  readonly ownerUid: Uid;
}

const DAY_MS = 24 * 60 * 60_000;

/** Days since 1970. */
export const dayOf = (at: Instant): string => String(Math.floor(at / DAY_MS));

export const NO_USAGE: UsageDocument = { bytes: 0, trashed: {}, projects: 0 };

/** Bytes as of now: files in the trash count until it deletes them, at most a day longer. */
export function bytesUsed({ bytes, trashed }: UsageDocument, now: Instant, trashDays: number): number {
  if (trashDays === 0) return bytes;
  const oldest = Number(dayOf(now)) - trashDays;
  return Object.entries(trashed).reduce((sum, [day, size]) => (Number(day) >= oldest ? sum + size : sum), bytes);
}
