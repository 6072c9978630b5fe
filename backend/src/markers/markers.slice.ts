import type { Slice } from '../platform/slice.js';

export const markersSlice: Slice = { name: 'markers', load: () => import('./markers.module.js') };
