import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';

export const mediaSlice: Slice = {
  name: 'media',
  recordKinds: { trash: KEPT, 'file-names': { restored: 'left out', moved: 'left out' } },
  load: () => import('./media.module.js'),
};
