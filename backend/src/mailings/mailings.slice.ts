import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';

export const mailingsSlice: Slice = {
  name: 'mailings',
  recordKinds: { 'mailing-hours': KEPT },
  load: () => import('./mailings.module.js'),
};
