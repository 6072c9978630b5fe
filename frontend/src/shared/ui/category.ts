import { CircleDot, LayoutPanelLeft, type LucideIcon, MicVocal, Palette, SlidersVertical, TextQuote } from 'lucide-react';
import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';

/** The icon of each category. */
export const CATEGORY_ICONS: Readonly<Record<GroupRegionCategory, LucideIcon>> = {
  performance: MicVocal,
  mix: SlidersVertical,
  style: Palette,
  arrangement: LayoutPanelLeft,
  general: CircleDot,
  lyrics: TextQuote,
};

/** The classes that set `--c`, `--cs` and `--co` to a category's three colours. */
export const categoryClass = (category: GroupRegionCategory): string => `cat cat-${category}`;
