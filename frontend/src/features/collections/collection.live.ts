import type { CollectionView } from '@roughmix/contracts/collections/collection.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { QueryClient } from '@tanstack/react-query';
import { removeItems } from '../../shared/live/cached-list';
import { ownChannel } from '../../shared/live/channels';
import type { LiveSubscriber } from '../../shared/live/handlers';
import { collectionsOf, takeCollection } from './collections.queries';

/** Keeps the user's collections current in all their tabs. */
export function collectionsLive(uid: Uid): LiveSubscriber {
  const { queryKey } = collectionsOf(uid);
  const take = (cache: QueryClient, { view }: { readonly view: CollectionView }) => takeCollection(cache, uid, view);
  return {
    channels: [ownChannel('collections')],
    handlers: {
      CollectionAdded: take,
      CollectionEdited: take,
      CollectionRemoved: (cache, { ids, position }) => removeItems(cache, queryKey, ids, position),
    },
    onMissed: (cache) => void cache.invalidateQueries({ queryKey }),
  };
}
