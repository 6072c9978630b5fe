import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';

/** RRGGBB, the colours of the page's light theme, which are readable on paper. */
export const CATEGORY_COLOURS: Readonly<Record<RegionCategory, string>> = {
  performance: 'A90330',
  mix: '1D4F92',
  style: '7449F0',
  arrangement: '007C64',
  general: '5F5E1A',
};
