import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { SpanChange } from '@roughmix/contracts/shared/marks.js';
import { createContext, useContext, useEffect, useId } from 'react';

/** The region that a post is being tagged with, and what its writer has changed of it. */
export interface Tagging {
  /** The box in which the post is written. */
  readonly boxId: string;
  readonly regionId: Id;
  readonly change: SpanChange;
}

/** While a post is being tagged with a region, changes of its bounds and category on the wave belong to the post. */
export interface RegionTagging {
  /** That of the box that began last; null for none. */
  readonly current: Tagging | null;
  readonly begin: (boxId: string, regionId: Id) => void;
  readonly end: (boxId: string) => void;
  /** Discards what the writer has changed of the current region. */
  readonly revert: () => void;
}

const nothing = () => undefined;
const NO_TAGGING: RegionTagging = { current: null, begin: nothing, end: nothing, revert: nothing };
const NO_CHANGE: SpanChange = {};

/** Provided by the page that shows the wave. */
export const RegionTaggingContext = createContext(NO_TAGGING);

export const isChanged = (change: SpanChange): boolean => Object.keys(change).length > 0;

/**
 * Tags the post of a box with a region.
 * @param regionId null while the post has no tag
 */
export function useRegionTagging(regionId: Id | null): { readonly change: SpanChange; readonly revert: () => void } {
  const { current, begin, end, revert } = useContext(RegionTaggingContext);
  const boxId = useId();
  useEffect(() => {
    if (regionId === null) return undefined;
    begin(boxId, regionId);
    return () => end(boxId);
  }, [begin, end, boxId, regionId]);
  return { change: current?.boxId === boxId && current.regionId === regionId ? current.change : NO_CHANGE, revert };
}
