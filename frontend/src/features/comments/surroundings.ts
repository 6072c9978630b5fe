import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { TaggedRegionView } from '@roughmix/contracts/comments/comment.view.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { SelfView, PersonView } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { createContext, useContext } from 'react';

/** The playhead, as far as somebody who writes needs it. */
export interface Moment {
  readonly isPlaying: () => boolean;
  /** Seconds. */
  readonly position: () => number;
  readonly play: () => void;
  readonly pause: () => void;
}

/** The region that is selected on the wave. */
export interface SelectedRegion {
  readonly _id: Id;
  readonly tag: RegionCategory;
  readonly start: number;
  readonly end: number;
  /** Nobody has saved it yet: tagging does. */
  readonly isDraft: boolean;
}

/** What the comments know of the page around them. */
export interface Surroundings {
  readonly projectId: Id;
  readonly user: SelfView;
  readonly viewer: Viewer;
  /** The owner and everybody added; the owner alone for a visitor. */
  readonly members: readonly PersonView[];
  readonly versions: readonly VersionView[];
  /** The version that is heard; null when none can be. */
  readonly heard: VersionView | null;
  readonly moment: Moment;
  readonly region: SelectedRegion | null;
  /** Saves the region that is being made, and answers its id. */
  readonly saveRegion: () => Promise<Id>;
  /** Regions as they are now, whatever a comment still says of them. */
  readonly regions: ReadonlyMap<Id, RegionView>;
  readonly onRegion: (region: TaggedRegionView) => void;
  readonly onStamp: (stamp: Stamp) => void;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (surroundings === null) throw new Error('no comments panel above');
  return surroundings;
}
