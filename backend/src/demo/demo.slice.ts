import type { Slice } from '../platform/slice.js';
import { KEPT } from '../platform/vault/record-kinds.js';

export const demoSlice: Slice = { name: 'demo', recordKinds: { demo: KEPT } };
