import { REGION_EVENT_CLASSES } from '@roughmix/contracts/regions/region.events.js';
import type { Upcaster } from '../kernel/upcast.js';
import type { Slice } from '../platform/slice.js';
import { regionsProjector } from './regions.projector.js';

/** Removals from before there were child regions and todos. */
const upcasters: readonly Upcaster[] = [
  {
    from: 'RegionRemoved',
    to: 'RegionRemoved.v2',
    classes: { regionId: 'plain', commentIds: 'plain' },
    change: (data) => ({ ...(data as object), parentRegionId: null, childIds: [], todoIds: [] }),
  },
];

export const regionsSlice: Slice = {
  name: 'regions',
  stream: 'project-<id>',
  eventClasses: REGION_EVENT_CLASSES,
  upcasters,
  projectors: [regionsProjector],
  load: () => import('./regions.module.js'),
};
