import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';

export const PLAYS = 'plays';

/** How much of a version all users, or one of them, played. */
export interface PlaysDocument {
  readonly projectId: Id;
  /** Listening sessions. */
  readonly plays: number;
  readonly seconds: number;
  /** When the last session ended. */
  readonly last: Instant;
}

/** Of all users, under the version's id; of one, under `{versionId}-{uid}`. Ids contain no dash. */
export const playsId = (versionId: Id, uid?: Id): string => (uid === undefined ? versionId : `${versionId}-${uid}`);
