import type { EditCollectionBody, NewCollectionBody } from '@roughmix/contracts/collections/collection.api.js';
import { COLLECTION_PATHS } from '@roughmix/contracts/collections/collection.paths.js';
import type {
  CollectionRemovedAnswer,
  CollectionsAnswer,
  CollectionView,
  NewCollectionAnswer,
  UpdatedCollectionAnswer,
} from '@roughmix/contracts/collections/collection.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { batchesOf } from '../../shared/api/batches';
import { api } from '../../shared/api/client';
import { removeItems, takeItems, withoutRemovedSince } from '../../shared/live/cached-list';
import { unlessGone } from '../../shared/removals/unless-gone';

/** A user's collections, oldest first. */
export const collectionsOf = (uid: Uid) =>
  queryOptions({
    queryKey: ['collections', uid],
    queryFn: async ({ client, queryKey, signal }): Promise<readonly CollectionView[]> => {
      const { collections } = await api.get<CollectionsAnswer>(COLLECTION_PATHS.list(uid), { signal });
      return withoutRemovedSince(client, queryKey, collections);
    },
  });

/** Takes a collection from a push or an answer into the list. A list that is being fetched may have been read before: it is fetched again. */
export function takeCollection(cache: QueryClient, uid: Uid, collection: CollectionView): void {
  const { queryKey } = collectionsOf(uid);
  takeItems(cache, queryKey, [collection]);
  if (cache.isFetching({ queryKey }) > 0) void cache.cancelQueries({ queryKey }).then(() => cache.invalidateQueries({ queryKey }));
}

/** Projects to add to a collection, or to take out of it. */
export interface ProjectsChange {
  readonly collection: CollectionView;
  readonly projectIds: readonly Id[];
  readonly willAdd: boolean;
}

/** The commands on a user's collections. */
export function useCollectionCommands(uid: Uid) {
  const cache = useQueryClient();
  const { queryKey } = collectionsOf(uid);
  const take = (view: CollectionView | null): CollectionView | null => {
    if (view !== null) takeCollection(cache, uid, view);
    return view;
  };
  const edit = async (id: Id, body: EditCollectionBody) =>
    take((await api.send<UpdatedCollectionAnswer>('PUT', COLLECTION_PATHS.one(uid, id), body)).answer.updatedCollection);
  const change = async ({ collection, projectIds, willAdd }: ProjectsChange) => {
    for (const batch of batchesOf(projectIds)) await edit(collection._id, { projectIds: batch, willAdd });
  };

  const add = useMutation({
    mutationFn: async ({ title, projectIds }: { readonly title: string; readonly projectIds: readonly Id[] }) => {
      const [first = [], ...rest] = batchesOf(projectIds);
      const body: NewCollectionBody = { submission: { title, projects: first } };
      const collection = take((await api.send<NewCollectionAnswer>('POST', COLLECTION_PATHS.list(uid), body)).answer.newCollection);
      if (collection !== null) await change({ collection, projectIds: rest.flat(), willAdd: true });
      return collection;
    },
  });
  const rename = useMutation({
    mutationFn: ({ collection, title }: { readonly collection: CollectionView; readonly title: string }) => edit(collection._id, { title }),
  });
  const changeProjects = useMutation({ mutationFn: change });
  const remove = useMutation({
    mutationFn: async ({ _id, position }: CollectionView) => {
      const sent = await unlessGone('collection.not-found', api.send<CollectionRemovedAnswer>('POST', COLLECTION_PATHS.one(uid, _id), {}));
      removeItems(cache, queryKey, [_id], sent?.position ?? position);
    },
  });
  return { add, rename, changeProjects, remove };
}
