/** What a region of a project can be about, in the order they are offered. */
export const REGION_CATEGORIES = ['performance', 'mix', 'style', 'arrangement', 'general'] as const;
export type RegionCategory = (typeof REGION_CATEGORIES)[number];
/** In groups there is one more, drawn in a neutral colour. */
export const GROUP_CATEGORIES = [...REGION_CATEGORIES, 'lyrics'] as const;
export type GroupCategory = (typeof GROUP_CATEGORIES)[number];
