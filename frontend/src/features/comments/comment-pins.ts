import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';

/** A comment on the time line of a version. */
export interface CommentPin {
  readonly id: Id;
  /** Seconds. */
  readonly at: number;
  readonly person: { readonly name: string; readonly photo: string };
  readonly kind: 'comment';
}

/** The comments with a timestamp in the selected version. */
export const commentPins = (comments: readonly CommentView[], versionId: Id | null): readonly CommentPin[] =>
  comments.flatMap((comment) => {
    if (comment.removed || comment.stamp === null || comment.stamp.versionId !== versionId) return [];
    return [{ id: comment._id, at: comment.stamp.at, person: { name: fullName(comment.user), photo: comment.user.smallPhoto }, kind: 'comment' }];
  });
