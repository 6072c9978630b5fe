import type { Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const CONNECTIONS = 'connections';

/** The connections of one user. Following is one-sided, so the other user may not have them. */
export interface ConnectionsDocument {
  readonly uid: Uid;
  /** The time of the newest event that connected them, by the other user's uid. */
  readonly since: Readonly<Record<Uid, Instant>>;
  /** The keys of `since`, by which the document is found. */
  readonly uids: readonly Uid[];
  /** Those of `uids` whom an invitation connected them with: either side ends that for both. The other user's document says the same. */
  readonly byInvitation: readonly Uid[];
  /** The last change by an event of another stream, an invitation or its end by the other side, for pushes and the catch-up of their sockets. */
  readonly elsewhere: { readonly stream: string; readonly position: Position } | null;
  /** Of the last change. */
  readonly position: Position;
}

export const ACQUAINTANCES = 'acquaintances';

/**
 * Everyone who was ever in a project: each may have seen the others' names, in posts and in notifications. Kept after a purge, because
 * notifications that the project was removed stay.
 */
export interface AcquaintancesDocument {
  readonly uids: readonly Uid[];
}

export const ERASED_PEOPLE = 'erased-people';

/** An erased user. Nothing later in the log connects them again. */
export interface ErasedPersonDocument {
  readonly uid: Uid;
  /** Those who may have seen their name: everyone connected with them, and everyone who was in a project with them. */
  readonly audience: readonly Uid[];
  readonly position: Position;
}
