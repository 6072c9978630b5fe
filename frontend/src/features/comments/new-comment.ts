import type { NewPost } from '../../shared/posts/new-post';
import type { Outgoing } from '../../shared/writing/outbox';

/** A comment or reply as its author sent it. The content of an image is its file name. */
export interface NewComment extends NewPost {
  readonly kind: 'text' | 'image';
}

export type OutgoingComment = Outgoing<NewComment>;
