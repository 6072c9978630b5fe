/** The categories of a region in a project, in the order they are offered. */
export const REGION_CATEGORIES = ['performance', 'mix', 'style', 'arrangement', 'general'] as const;
/** The categories of a region in a group: those of a project, and `lyrics`, which has no colour of its own. */
export const GROUP_REGION_CATEGORIES = [...REGION_CATEGORIES, 'lyrics'] as const;

/** A category of a region in a project. */
export type RegionCategory = (typeof REGION_CATEGORIES)[number];
/** A category of a region in a group; wider than {@link RegionCategory}. */
export type GroupRegionCategory = (typeof GROUP_REGION_CATEGORIES)[number];

/** The label of each category, which always accompanies its colour. */
export const CATEGORY_LABELS: Readonly<Record<GroupRegionCategory, string>> = {
  performance: 'Performance',
  mix: 'Mix',
  style: 'Style',
  arrangement: 'Arrangement',
  general: 'General',
  lyrics: 'Lyrics',
};
