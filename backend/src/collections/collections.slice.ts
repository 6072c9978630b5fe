import { COLLECTION_EVENT_CLASSES } from '@roughmix/contracts/collections/collection.events.js';
import type { Slice } from '../platform/slice.js';
import { collectionsProjector } from './collections.projector.js';

export const collectionsSlice: Slice = {
  name: 'collections',
  stream: 'collections-<uid>',
  eventClasses: COLLECTION_EVENT_CLASSES,
  projectors: [collectionsProjector],
  load: () => import('./collections.module.js'),
};
