import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { Id, Instant, Position, Uid } from '@roughmix/contracts/shared/ids.js';

export const COMMENTS = 'comments';

/** The stored file of an image comment. */
export interface ImageFile {
  readonly key: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly dateAdded: Instant;
}

/** A comment or reply. A removed one that stays because it has replies keeps none of its content. */
export interface CommentDocument {
  readonly commentId: Id;
  readonly projectId: Id;
  readonly kind: 'text' | 'image';
  /** The stored form of a text, or an image's file name. */
  readonly content: string;
  readonly image: ImageFile | null;
  readonly authorUid: Uid;
  readonly dateAdded: Instant;
  readonly edited: Instant | null;
  readonly versionId: Id | null;
  readonly stamp: Stamp | null;
  readonly taggedRegions: readonly Id[];
  readonly taggedUsers: readonly Uid[];
  readonly parentCommentId: Id | null;
  readonly replyIds: readonly Id[];
  readonly likes: readonly Uid[];
  /** Dislikes (the API's name). */
  readonly negs: readonly Uid[];
  /** The positions of people's last ratings that only they and the author see. */
  readonly dislikes: Readonly<Record<Uid, Position>>;
  readonly removed: boolean;
  /** Of the last event that changed what everybody sees. */
  readonly position: Position;
}
