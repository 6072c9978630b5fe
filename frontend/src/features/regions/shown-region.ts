import { CATEGORY_LABELS, type RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { PersonView } from '@roughmix/contracts/users/user.view.js';

/** The id of a region that nobody has saved yet. */
export const TEMP_REGION = 'temp_region';

/** How seconds lie on the track's pixels. */
export interface Scale {
  readonly duration: number;
  readonly pxPerSecond: number;
  readonly toX: (seconds: number) => number;
}

/** What a region says of itself, saved or not. */
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
  /** Its label, else the start of its first tagged post, else the word of its category. */
  readonly title: string;
  readonly isDraft: boolean;
  /** True when this viewer may change and remove it. */
  readonly isOwn: boolean;
  /** null while unsaved. */
  readonly saved: { readonly author: PersonView; readonly dateAdded: Instant; readonly edited: Instant | null } | null;
}

export const shownDraft = (draft: RegionDraft): ShownRegion => ({
  ...draft,
  id: TEMP_REGION,
  title: draft.label || `New ${CATEGORY_LABELS[draft.tag].toLowerCase()} region`,
  isDraft: true,
  isOwn: true,
  saved: null,
});

/** @param fallbackTitle the title of a region without a label; its category when undefined */
export function shownRegion(region: RegionView, isOwn: boolean, fallbackTitle: string | undefined): ShownRegion {
  const { _id, versionId, start, end, tag, label, user, dateAdded, edited } = region;
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
    saved: { author: user, dateAdded, edited },
  };
}

/** In the order of time; of two that begin together the longer one first, so that the shorter lies under it. */
export const inTimeOrder = (regions: readonly ShownRegion[]): readonly ShownRegion[] =>
  regions.toSorted((a, b) => a.start - b.start || b.end - a.end || (a.id < b.id ? -1 : 1));
