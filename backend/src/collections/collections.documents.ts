import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const COLLECTIONS = 'collections';

export interface CollectionDocument {
  readonly collectionId: Id;
  readonly ownerUid: Uid;
  readonly title: string;
  /** In the order added. */
  readonly projectIds: readonly Id[];
  readonly dateAdded: Instant;
  readonly dateModified: Instant;
  /** The position of its CollectionAdded, which orders a user's collections. */
  readonly addedAt: Position;
  readonly position: Position;
  /** The project whose removal changed it at `position`; null if that was a command of its owner. */
  readonly removedProjectId: Id | null;
}

export const REMOVED_PROJECTS = 'removed-projects';

/** A removed project. A command that adds it at the same time may follow its removal in the log. */
export interface RemovedProjectDocument {
  readonly projectId: Id;
  readonly position: Position;
}
