import type { Slice } from '../platform/slice.js';

export const adminSlice: Slice = { name: 'admin', load: () => import('./admin.module.js') };
