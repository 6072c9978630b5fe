import type { Slice } from '../platform/slice.js';
import { connectionsProjector } from './connections.projector.js';

/** Profile pages and connections. Follows are events of the user's stream. */
export const profilesSlice: Slice = {
  name: 'profiles',
  projectors: [connectionsProjector],
  load: () => import('./profiles.module.js'),
};
