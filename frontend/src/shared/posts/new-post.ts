import type { SpanChange, Stamp } from '@roughmix/contracts/shared/marks.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Outgoing } from '../writing/outbox';

/** The region that a post is tagged with. */
export interface PostTag {
  readonly _id: Id;
  readonly tag: RegionCategory;
  readonly start: number;
  readonly end: number;
  /** What the writer changed of the saved region; the server makes a child region of it. */
  readonly change?: SpanChange;
}

/** The region that is selected on the wave, which a new post can be tagged with. */
export interface SelectedRegion extends PostTag {
  /** True if it is not saved yet. */
  readonly isDraft: boolean;
  /** True while it is not on the wave, such as in another version: a post keeps its tag, but gets no new one. */
  readonly isHidden: boolean;
  /** Saves the region if it is still a draft, and returns its id. */
  readonly save: () => Promise<Id>;
}

/** A post as its author sent it. */
export interface NewPost {
  /** The post that it replies to; null for none. */
  readonly parentId: Id | null;
  /** Wire text. */
  readonly content: string;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly region: PostTag | null;
}

export type OutgoingPost = Outgoing<NewPost>;

/** The fields of a request that adds a post. */
export const submissionOf = ({ content, versionId, stamp, region }: NewPost) => ({
  content,
  ...(versionId === null ? {} : { versionId }),
  ...(stamp === null ? {} : { stamp }),
  ...(region === null ? {} : { taggedRegions: [{ _id: region._id, ...region.change }] }),
});
