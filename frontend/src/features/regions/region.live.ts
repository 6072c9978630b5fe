import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { QueryClient } from '@tanstack/react-query';
import { removeIds, upsertNewer } from '../../shared/api/upsert-newer';
import type { LiveHandlers } from '../../shared/live/handlers';
import { regionsOf } from './regions.queries';

interface Arrival {
  readonly view: RegionView;
}

/** Before the first answer there is no list to keep: it will have the region in it. */
const take = (cache: QueryClient, { view }: Arrival) => void cache.setQueryData(regionsOf(view.projectId).queryKey, (list) => list && upsertNewer(list, view));

/** One cache key, two writers, the newest position wins. */
export const regionLive = {
  RegionAdded: take,
  RegionEdited: take,
  RegionRemoved: (cache, { projectId, ids }) => void cache.setQueryData(regionsOf(projectId).queryKey, (list) => list && removeIds(list, ids)),
} satisfies LiveHandlers;
