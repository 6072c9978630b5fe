import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';

/** A post that may be about a part of a version. */
export interface MarkedPost {
  readonly _id: Id;
  readonly stamp?: Stamp | null;
  readonly taggedRegions?: readonly { readonly _id: Id }[];
}

/** What a post is about, in seconds of a version. */
export interface PostRange {
  readonly versionId: Id;
  readonly start: number;
  /** null for a moment. */
  readonly end: number | null;
  /** The tagged region that it is; null for a timestamp. */
  readonly regionId: Id | null;
}

/** The range of a post: its tagged region as it is now, or else the moment of its timestamp; null for neither. */
export function rangeOfPost({ stamp = null, taggedRegions = [] }: MarkedPost, regions: readonly RegionView[]): PostRange | null {
  const region = regions.find(({ _id }) => taggedRegions.some((tagged) => tagged._id === _id));
  if (region !== undefined) return { versionId: region.versionId, start: region.start, end: region.end, regionId: region._id };
  return stamp && { versionId: stamp.versionId, start: stamp.at, end: null, regionId: null };
}
