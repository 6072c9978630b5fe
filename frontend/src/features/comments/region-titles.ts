import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toTyped } from '../../shared/writing/mention-text';

const TITLE_LENGTH = 60;

/** The beginning of the first comment on each region: the title of a region without a label. */
export function regionTitles(comments: readonly CommentView[]): ReadonlyMap<Id, string> {
  const titles = new Map<Id, string>();
  for (const comment of comments.toSorted((a, b) => a.dateAdded - b.dateAdded)) {
    if (comment.removed || typeof comment.content !== 'string') continue;
    const text = toTyped(comment.content).replaceAll(/\s+/g, ' ').trim();
    const title = text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : text;
    for (const { _id } of comment.taggedRegions) if (!titles.has(_id)) titles.set(_id, title);
  }
  return titles;
}
