import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { textStart } from '../writing/text-start';

const TITLE_LENGTH = 60;

interface TaggedPost {
  readonly dateAdded: Instant;
  /** Wire text, or something else. */
  readonly content: unknown;
  readonly taggedRegions?: readonly { readonly _id: Id }[];
}

/** The beginning of the first comment or todo on each region: the title of a region without a label. */
export function regionTitles(posts: readonly TaggedPost[]): ReadonlyMap<Id, string> {
  const titles = new Map<Id, string>();
  for (const { content, taggedRegions = [] } of posts.toSorted((a, b) => a.dateAdded - b.dateAdded)) {
    if (typeof content !== 'string') continue;
    const title = textStart(content, TITLE_LENGTH);
    for (const { _id } of taggedRegions) if (!titles.has(_id)) titles.set(_id, title);
  }
  return titles;
}
