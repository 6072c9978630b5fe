import type { Id } from '@roughmix/contracts/shared/ids.js';

/** Where the focus goes once a comment has gone: from a reply to what it answers, else to the next comment, the one before, or the box. */
export function besideComment(id: Id): HTMLElement | null {
  const own = document.getElementById(`comment-${id}`);
  const thread = own?.closest('.comment-thread');
  const first = thread?.querySelector('article') ?? null;
  if (first !== own) return first;
  return (thread?.nextElementSibling ?? thread?.previousElementSibling)?.querySelector<HTMLElement>('article, textarea') ?? null;
}
