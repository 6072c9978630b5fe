import type { Id } from '@roughmix/contracts/shared/ids.js';

export const PARTS = 'parts';

/** The project that a version, comment, todo or region belongs to. Kept after the item is removed, so that a repeated command still finds its stream. */
export interface PartDocument {
  readonly projectId: Id;
}
