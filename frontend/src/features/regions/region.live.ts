import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { QueryClient } from '@tanstack/react-query';
import { projectChannel } from '../../shared/live/channels';
import type { LiveHandlers } from '../../shared/live/handlers';
import { dropRegions, takeRegion } from './regions.queries';

export const REGIONS_CHANNEL = projectChannel('regions');

interface RegionPush {
  readonly view: RegionView;
}

const take = (cache: QueryClient, { view }: RegionPush) => takeRegion(cache, view);

/** Pushes and command responses write to the same list; the newest position wins. */
export const regionLive = {
  RegionAdded: take,
  RegionEdited: take,
  RegionRemoved: (cache, { projectId, ids, position }) => dropRegions(cache, projectId, ids, position),
} satisfies LiveHandlers;
