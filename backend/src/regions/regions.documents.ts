import type { RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const REGIONS = 'regions';

export interface RegionDocument extends RegionSpan {
  readonly regionId: Id;
  readonly projectId: Id;
  readonly versionId: Id;
  readonly authorUid: Uid;
  readonly dateAdded: Instant;
  readonly edited: Instant | null;
  readonly commentIds: readonly Id[];
  /** Todos and replies to todos. */
  readonly todoIds: readonly Id[];
  readonly parentRegionId: Id | null;
  /** Its children, oldest first. */
  readonly childIds: readonly Id[];
  readonly position: Position;
}
