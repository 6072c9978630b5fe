import type { EventClasses, EventOf } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';

/** The stream of a user's collections, `collections-<uid>`. */
export interface CollectionEvents {
  CollectionAdded: { readonly collectionId: Id; readonly ownerUid: Uid; readonly title: string; readonly projectIds: readonly Id[] };
  /** One per command and collection. Without a new title, `from` and `to` are equal. A removed project leaves its collections without an event. */
  CollectionEdited: {
    readonly collectionId: Id;
    readonly ownerUid: Uid;
    readonly from: string;
    readonly to: string;
    readonly added: readonly Id[];
    readonly removed: readonly Id[];
  };
  CollectionRemoved: { readonly collectionId: Id; readonly ownerUid: Uid; readonly title: string };
}

const ofOwner = { personal: 'ownerUid' } as const;

export const COLLECTION_EVENT_CLASSES: EventClasses<CollectionEvents> = {
  CollectionAdded: { collectionId: 'plain', ownerUid: 'plain', title: ofOwner, projectIds: 'plain' },
  CollectionEdited: { collectionId: 'plain', ownerUid: 'plain', from: ofOwner, to: ofOwner, added: 'plain', removed: 'plain' },
  CollectionRemoved: { collectionId: 'plain', ownerUid: 'plain', title: ofOwner },
};

export type CollectionEvent = EventOf<CollectionEvents>;

/** The stream of a user's collections. */
export const collectionsStream = (uid: Uid): string => `collections-${uid}`;
