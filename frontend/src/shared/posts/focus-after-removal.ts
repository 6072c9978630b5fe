/** The element to focus once a post is removed: for a reply its parent, otherwise the next post, the previous one, or the box. */
export function focusAfterRemoval(elementId: string): HTMLElement | null {
  const own = document.getElementById(elementId);
  const thread = own?.closest('.post-thread');
  const first = thread?.querySelector('article') ?? null;
  if (first !== own) return first;
  return (thread?.nextElementSibling ?? thread?.previousElementSibling)?.querySelector<HTMLElement>('article, textarea') ?? null;
}

/** Focuses an element after the next change is drawn. */
export const focusSoon = (element: () => HTMLElement | null): void => void requestAnimationFrame(() => element()?.focus({ preventScroll: true }));

/** What disappears with a post: the whole thread of its first post. */
export function rowOf(elementId: string): HTMLElement | null {
  const own = document.getElementById(elementId);
  const thread = own?.closest<HTMLElement>('.post-thread') ?? null;
  return thread?.querySelector('article') === own ? thread : own;
}
