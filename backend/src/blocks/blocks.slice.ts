import type { Slice } from '../platform/slice.js';
import { blocksProjector } from './blocks.projector.js';

/** Whom users block. Blocks are events of the user's stream. */
export const blocksSlice: Slice = {
  name: 'blocks',
  projectors: [blocksProjector],
  load: () => import('./blocks.module.js'),
};
