import type { Id, Instant, Position } from '../shared/ids.js';
import type { PersonView } from '../users/user.view.js';

/** A collection, which only its owner sees. `projects` are in the order added. */
export interface CollectionView {
  readonly _id: Id;
  readonly type: 'collection';
  readonly title: string;
  readonly projects: readonly Id[];
  readonly owner: PersonView;
  readonly userPermissions: { readonly read: readonly never[]; readonly write: readonly never[] };
  readonly dateAdded: Instant;
  readonly dateModified: Instant;
  readonly position: Position;
}

export interface CollectionsAnswer {
  /** Oldest first. */
  readonly collections: readonly CollectionView[];
}
/** null if the request is a repeat and the collection was removed since. */
export interface NewCollectionAnswer {
  readonly newCollection: CollectionView | null;
}
/** null if the request is a repeat and the collection was removed since. */
export interface UpdatedCollectionAnswer {
  readonly updatedCollection: CollectionView | null;
}
export interface CollectionRemovedAnswer {
  readonly success: true;
}
