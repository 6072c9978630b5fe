import { REGION_EVENT_CLASSES } from '@roughmix/contracts/regions/region.events.js';
import type { Slice } from '../platform/slice.js';
import { regionsProjector } from './regions.projector.js';

export const regionsSlice: Slice = {
  name: 'regions',
  stream: 'project-<id>',
  eventClasses: REGION_EVENT_CLASSES,
  projectors: [regionsProjector],
  load: () => import('./regions.module.js'),
};
