import type { Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const BLOCKS = 'blocks';

/** The people whom one user blocks. */
export interface BlocksDocument {
  readonly uid: Uid;
  /** In the order in which they were blocked. */
  readonly uids: readonly Uid[];
  /** Of the last change. */
  readonly position: Position;
}
