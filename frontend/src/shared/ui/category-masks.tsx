import { useLayoutEffect, useRef } from 'react';
import { GROUP_REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import { CATEGORY_ICONS } from './category';

/** The stroke that `.i` gives icons in CSS, which does not apply inside an image. */
const STROKE_WIDTH = 1.75;

/**
 * Provides the categories' icons to style sheets as `--category-icon`, an image to mask with.
 * For hundreds of icons at once: every svg element has its own transform, which makes each frame expensive.
 */
export function CategoryMasks() {
  const icons = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    for (const icon of icons.current?.querySelectorAll('svg') ?? []) {
      const image = `url("data:image/svg+xml,${encodeURIComponent(icon.outerHTML)}")`;
      document.documentElement.style.setProperty(`--icon-${icon.dataset['category']}`, image);
    }
  }, []);
  return (
    <span ref={icons} hidden>
      {GROUP_REGION_CATEGORIES.map((category) => {
        const Drawing = CATEGORY_ICONS[category];
        return <Drawing key={category} data-category={category} strokeWidth={STROKE_WIDTH} />;
      })}
    </span>
  );
}
