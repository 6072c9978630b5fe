import type { Id } from '@roughmix/contracts/shared/ids.js';

export const PARTS = 'parts';

/** Which project a comment or a region lies, or lay, in. It stays when the part is gone: a repeated command must still find its stream. */
export interface PartDocument {
  readonly projectId: Id;
}
