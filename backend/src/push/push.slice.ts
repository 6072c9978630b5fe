import type { Slice } from '../platform/slice.js';

export const pushSlice: Slice = {
  name: 'push',
  load: () => import('./push.module.js'),
};
