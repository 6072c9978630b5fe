import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';

export const mediaSlice: Slice = {
  name: 'media',
  recordKinds: { trash: KEPT },
  load: () => import('./media.module.js'),
};
