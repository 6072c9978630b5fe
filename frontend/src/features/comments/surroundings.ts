import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { TaggedRegionView } from '@roughmix/contracts/comments/comment.view.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { SelfView, PersonView } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { createContext, useContext, useEffect, useMemo, useRef } from 'react';

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

/** What every comment knows of the page around it: the same while the selection and the playhead move, so that a long list is left alone. */
export interface Place {
  readonly projectId: Id;
  readonly user: SelfView;
  readonly viewer: Viewer;
  /** The owner and everybody added; the owner alone for a visitor. */
  readonly members: readonly PersonView[];
  readonly versions: readonly VersionView[];
  /** Regions as they are now, whatever a comment still says of them. */
  readonly regions: ReadonlyMap<Id, RegionView>;
  readonly onRegion: (region: TaggedRegionView) => void;
  readonly onStamp: (stamp: Stamp) => void;
}

/** What somebody who writes knows beside that. */
export interface Surroundings extends Place {
  /** The version that is heard; null when none can be. */
  readonly heard: VersionView | null;
  readonly moment: Moment;
  readonly region: SelectedRegion | null;
  /** Saves the region that is being made, and answers its id. */
  readonly saveRegion: () => Promise<Id>;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (surroundings === null) throw new Error('no comments panel above');
  return surroundings;
}

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error('no comments panel above');
  return place;
}

/** The place within the surroundings; another object only when one of its facts is another. */
export function usePlaceOf(around: Surroundings): Place {
  const newest = useRef(around);
  useEffect(() => {
    newest.current = around;
  });
  const { projectId, user, viewer, members, versions, regions } = around;
  return useMemo(
    () => ({
      projectId,
      user,
      viewer,
      members,
      versions,
      regions,
      onRegion: (region) => newest.current.onRegion(region),
      onStamp: (stamp) => newest.current.onStamp(stamp),
    }),
    [projectId, user, viewer, members, versions, regions],
  );
}
