import type { Id } from '@roughmix/contracts/shared/ids.js';

/** The element to focus once a comment is removed: for a reply its parent, otherwise the next comment, the previous one, or the box. */
export function focusAfterRemoval(id: Id): HTMLElement | null {
  const own = document.getElementById(`comment-${id}`);
  const thread = own?.closest('.comment-thread');
  const first = thread?.querySelector('article') ?? null;
  if (first !== own) return first;
  return (thread?.nextElementSibling ?? thread?.previousElementSibling)?.querySelector<HTMLElement>('article, textarea') ?? null;
}

/** Focuses an element after the next change is drawn. */
export const focusSoon = (element: () => HTMLElement | null): void => void requestAnimationFrame(() => element()?.focus({ preventScroll: true }));
