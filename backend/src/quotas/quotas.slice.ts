import type { Slice } from '../platform/slice.js';
import { usageProjector } from './usage.projector.js';

export const quotasSlice: Slice = {
  name: 'quotas',
  projectors: [usageProjector],
  load: () => import('./quotas.module.js'),
};
