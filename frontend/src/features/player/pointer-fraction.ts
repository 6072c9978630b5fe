import type { PointerEvent } from 'react';

/** The pointer's horizontal position within the element, from 0 to 1. */
export function pointerFraction(event: PointerEvent<HTMLElement>): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return width > 0 ? Math.min(Math.max((event.clientX - left) / width, 0), 1) : 0;
}
