import type { Id } from '@roughmix/contracts/shared/ids.js';

/** Focuses the label of a region; false while it is not on the wave. */
export function focusLabel(regionId: Id): boolean {
  const label = document.querySelector<HTMLElement>(`[data-region="${CSS.escape(regionId)}"]`);
  label?.focus();
  return label !== null;
}
