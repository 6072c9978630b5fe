import { CircleDot, LayoutPanelLeft, type LucideIcon, MicVocal, Palette, SlidersVertical, TextQuote } from 'lucide-react';
import type { GroupRegionCategory } from '@roughmix/contracts/shared/categories.js';

/** The drawing that comes with each category's colour and word. */
export const CATEGORY_ICONS: Readonly<Record<GroupRegionCategory, LucideIcon>> = {
  performance: MicVocal,
  mix: SlidersVertical,
  style: Palette,
  arrangement: LayoutPanelLeft,
  general: CircleDot,
  lyrics: TextQuote,
};

/** The classes that put a category's three colours into `--c`, `--cs` and `--co`. */
export const categoryClass = (category: GroupRegionCategory): string => `cat cat-${category}`;
