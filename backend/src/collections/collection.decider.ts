import type { CollectionEvent, CollectionEvents } from '@roughmix/contracts/collections/collection.events.js';
import { distinctIds, type Id, type Uid, withoutIds } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { CommandOf, Decider, Folds, Rules, Stored } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

interface Collection {
  readonly title: string;
  readonly projectIds: readonly Id[];
}

/** A user's collections by id. They still list removed projects, which only the read model takes out. */
export interface CollectionsState {
  readonly collections: Readonly<Record<Id, Collection>>;
}

interface CollectionCommands {
  AddCollection: { readonly collectionId: Id; readonly title: string; readonly projectIds: readonly Id[] };
  EditCollection: { readonly collectionId: Id; readonly title?: string | undefined; readonly added: readonly Id[]; readonly removed: readonly Id[] };
  /** From every collection. */
  TakeOutProject: { readonly projectId: Id };
  RemoveCollection: { readonly collectionId: Id };
}
export type CollectionCommand = CommandOf<CollectionCommands>;

/** The collection of that id, if there is one. */
export const collectionIn = ({ collections }: CollectionsState, id: Id): Collection | undefined =>
  Object.hasOwn(collections, id) ? collections[id] : undefined;

const NOT_FOUND = refuse('collection.not-found');

const rules: Rules<CollectionCommands, CollectionsState, Uid, CollectionEvent> = {
  AddCollection(data, state, ownerUid) {
    if (collectionIn(state, data.collectionId) !== undefined) return [];
    if (Object.keys(state.collections).length >= LIMITS.collections) return refuse('collection.too-many', { limit: LIMITS.collections });
    return [{ type: 'CollectionAdded', data: { ...data, projectIds: distinctIds(data.projectIds), ownerUid } }];
  },
  EditCollection({ collectionId, title, ...change }, state, ownerUid) {
    const collection = collectionIn(state, collectionId);
    if (collection === undefined) return NOT_FOUND;
    const { title: from, projectIds } = collection;
    const to = title ?? from;
    const added = withoutIds(distinctIds(change.added), projectIds);
    const removed = projectIds.filter((id) => change.removed.includes(id));
    if (to === from && added.length + removed.length === 0) return [];
    return [{ type: 'CollectionEdited', data: { collectionId, ownerUid, from, to, added, removed } }];
  },
  TakeOutProject: ({ projectId }, { collections }, ownerUid) =>
    Object.entries(collections)
      .filter(([, { projectIds }]) => projectIds.includes(projectId))
      .map(([collectionId, { title }]) => ({
        type: 'CollectionEdited',
        data: { collectionId, ownerUid, from: title, to: title, added: [], removed: [projectId] },
      })),
  RemoveCollection({ collectionId }, state, ownerUid) {
    const collection = collectionIn(state, collectionId);
    return collection === undefined ? NOT_FOUND : [{ type: 'CollectionRemoved', data: { collectionId, ownerUid, title: collection.title } }];
  },
};

const folds: Folds<CollectionEvents, CollectionsState> = {
  CollectionAdded: ({ collections }, { data: { collectionId, title, projectIds } }) => ({
    collections: { ...collections, [collectionId]: { title, projectIds } },
  }),
  CollectionEdited: (state, { data: { collectionId, to, added, removed } }) => {
    const projectIds = [...withoutIds(collectionIn(state, collectionId)?.projectIds ?? [], removed), ...added];
    return { collections: { ...state.collections, [collectionId]: { title: to, projectIds } } };
  },
  CollectionRemoved: ({ collections }, { data }) => {
    const { [data.collectionId]: _removed, ...others } = collections;
    return { collections: others };
  },
};

/** The stream of a user's collections, `collections-<uid>`. Only their owner sends commands to it. */
export const collectionDecider: Decider<CollectionsState, CollectionCommand, CollectionEvent> = {
  name: 'collections',
  initial: () => ({ collections: {} }),
  evolve: (state, event) => (folds[event.type] as (state: CollectionsState, event: Stored<CollectionEvent>) => CollectionsState)(state, event),
  decide(command, state, { uid }) {
    const rule = rules[command.type] as (data: CollectionCommand['data'], state: CollectionsState, uid: Uid) => readonly CollectionEvent[] | Refusal;
    return uid === null ? refuse('actor.mismatch') : rule(command.data, state, uid);
  },
  sees: () => null,
};
