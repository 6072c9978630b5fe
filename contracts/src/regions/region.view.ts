import type { RegionCategory } from '../shared/categories.js';
import type { GoneView } from '../shared/gone.js';
import type { Id, Instant, Position } from '../shared/ids.js';
import type { ProjectView } from '../projects/project.view.js';
import type { PersonView } from '../users/user.view.js';

export interface RegionView {
  readonly _id: Id;
  readonly projectId: Id;
  readonly versionId: Id;
  readonly groupId: null;
  /** Seconds, kept to the millisecond. */
  readonly start: number;
  readonly end: number;
  readonly tag: RegionCategory;
  readonly label: string | null;
  readonly timespan: string;
  readonly user: PersonView;
  readonly dateAdded: Instant;
  readonly edited: Instant | null;
  readonly commentIds: readonly Id[];
  readonly todoIds: readonly Id[];
  /** The saved region that this one is a child of. */
  readonly parentRegion: Id | null;
  /** The newest of its children. */
  readonly childRegion: Id | null;
  readonly position: Position;
}

/** The region that a post is tagged with. */
export interface TaggedRegionView {
  readonly _id: Id;
  readonly tag: RegionCategory;
  readonly timespan: string;
  readonly start: number;
  readonly end: number;
  /** Equal to `_id` if the region is a child. */
  readonly childRegion: Id | null;
}

export interface RegionsAnswer {
  readonly regions: readonly RegionView[];
}
export interface RegionAddedAnswer {
  readonly newRegion: RegionView | GoneView;
  readonly updatedProject: ProjectView;
}
export interface RegionAnswer {
  readonly updatedRegion: RegionView | GoneView;
  readonly updatedProject: ProjectView;
}
