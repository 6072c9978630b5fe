import type { CommentView, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { byDate, repliesByParent, type Thread } from '../../shared/posts/threads';

/** A comment with its replies, the oldest first. */
export type CommentThread = Thread<CommentView, ActiveComment>;

/** An image comment without its image is visible to its author alone. */
const isVisibleTo = (uid: Uid, { content, user }: ActiveComment): boolean => typeof content === 'string' || content.mediaUrl !== null || user.uid === uid;

/** The intersection keeps top-level comments in the type of the other branch. */
const isReply = (comment: CommentView): comment is ActiveComment & { readonly isReply: true } => !comment.removed && comment.isReply;

/** Threads, the newest first. A removed comment stays as long as it has replies. */
export function threadsOf(comments: readonly CommentView[], uid: Uid): readonly CommentThread[] {
  const replies = repliesByParent<ActiveComment>(comments.filter(isReply), ({ parentCommentId }) => parentCommentId);
  const threads = comments.filter((comment) => !isReply(comment)).map((first) => ({ first, replies: replies.get(first._id) ?? [] }));
  return threads.filter(({ first, replies: own }) => (first.removed ? own.length > 0 : isVisibleTo(uid, first))).toSorted((a, b) => byDate(b.first, a.first));
}
