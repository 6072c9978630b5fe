import type { Id, Instant } from '../shared/ids.js';
import { textStart } from '../shared/post-text.js';

const TITLE_LENGTH = 60;

interface TaggedPost {
  readonly dateAdded: Instant;
  /** Wire text, or something else. */
  readonly content: unknown;
  readonly taggedRegions?: readonly { readonly _id: Id }[];
}

/** The wire text of the first comment or todo on each region. */
export function firstTexts(posts: readonly TaggedPost[]): ReadonlyMap<Id, string> {
  const texts = new Map<Id, string>();
  for (const { content, taggedRegions = [] } of posts.toSorted((a, b) => a.dateAdded - b.dateAdded)) {
    if (typeof content !== 'string') continue;
    for (const { _id } of taggedRegions) if (!texts.has(_id)) texts.set(_id, content);
  }
  return texts;
}

/** The beginning of the first comment or todo on each region: the title of a region without a label. */
export const regionTitles = (posts: readonly TaggedPost[]): ReadonlyMap<Id, string> =>
  new Map([...firstTexts(posts)].map(([regionId, text]) => [regionId, textStart(text, TITLE_LENGTH)]));
