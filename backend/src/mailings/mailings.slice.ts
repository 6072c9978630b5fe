import type { Slice } from '../platform/slice.js';

export const mailingsSlice: Slice = {
  name: 'mailings',
  load: () => import('./mailings.module.js'),
};
