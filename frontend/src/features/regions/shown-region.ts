import { CATEGORY_LABELS, type RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';

/** The id of the unsaved region. */
export const TEMP_REGION = 'temp_region';

/** Maps seconds to pixels of the track. */
export interface Scale {
  readonly duration: number;
  readonly pxPerSecond: number;
  readonly toX: (seconds: number) => number;
}

/** The fields that saved and unsaved regions have in common. */
export interface RegionContent {
  readonly versionId: Id;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly tag: RegionCategory;
  readonly label: string | null;
}

export type RegionDraft = RegionContent;
export type RegionChange = Partial<Omit<RegionContent, 'versionId'>>;

/** A region as the page draws it. */
export interface ShownRegion extends RegionContent {
  readonly id: Id;
  /** The label, else the start of its first comment, else the category's name. */
  readonly title: string;
  readonly isDraft: boolean;
  /** True if the viewer may label, change and remove it. */
  readonly isOwn: boolean;
  /** True if the viewer may change its bounds and category: it is their own, or they are tagging a post with it. */
  readonly isAdjustable: boolean;
  /** The saved region that it is a child of. */
  readonly parentId: Id | null;
  /** True while a post is being tagged with it: changes then belong to the post. */
  readonly isBeingTagged: boolean;
  /** null while unsaved. */
  readonly saved: { readonly author: PersonView; readonly dateAdded: Instant; readonly edited: Instant | null } | null;
}

export const shownDraft = (draft: RegionDraft): ShownRegion => ({
  ...draft,
  id: TEMP_REGION,
  title: draft.label || `New ${CATEGORY_LABELS[draft.tag].toLowerCase()} region`,
  isDraft: true,
  isOwn: true,
  isAdjustable: true,
  parentId: null,
  isBeingTagged: false,
  saved: null,
});

/** @param fallbackTitle the title of a region without a label; its category when undefined */
export function shownRegion(region: RegionView, isOwn: boolean, fallbackTitle: string | undefined): ShownRegion {
  const { _id, versionId, start, end, tag, label, user, dateAdded, edited, parentRegion } = region;
  return {
    id: _id,
    versionId,
    start,
    end,
    tag,
    label,
    title: label || fallbackTitle || CATEGORY_LABELS[tag],
    isDraft: false,
    isOwn,
    isAdjustable: isOwn,
    parentId: parentRegion,
    isBeingTagged: false,
    saved: { author: user, dateAdded, edited },
  };
}

/** Sorted by start; with the same start the longer region comes first. */
export const inTimeOrder = (regions: readonly ShownRegion[]): readonly ShownRegion[] =>
  regions.toSorted((a, b) => a.start - b.start || b.end - a.end || (a.id < b.id ? -1 : 1));
