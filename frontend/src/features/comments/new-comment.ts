import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { RegionCategory } from '@roughmix/contracts/shared/categories.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { Outgoing } from '../../shared/writing/outbox';

/** The region that a comment is tagged with. */
export interface CommentTag {
  readonly _id: Id;
  readonly tag: RegionCategory;
  readonly start: number;
  readonly end: number;
}

/** A comment or reply as its author sent it. */
export interface NewComment {
  readonly kind: 'text' | 'image';
  /** The comment that it replies to; null for none. */
  readonly parentId: Id | null;
  /** Wire text, or the image's file name. */
  readonly content: string;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly region: CommentTag | null;
}

export type OutgoingComment = Outgoing<NewComment>;
