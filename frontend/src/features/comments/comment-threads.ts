import type { CommentView, StandingComment } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';

/** A comment with its replies, the oldest first. */
export interface Thread {
  readonly first: CommentView;
  readonly replies: readonly StandingComment[];
}

/** Whether two say the same: the same comments, not merely like ones. */
export const isSameThread = (a: Thread, b: Thread): boolean =>
  a.first === b.first && a.replies.length === b.replies.length && a.replies.every((reply, at) => reply === b.replies[at]);

/** An image that never arrived concerns its author alone. */
const isSeenBy = (uid: Uid, { content, user }: StandingComment): boolean => typeof content === 'string' || content.mediaUrl !== null || user.uid === uid;

/** A standing comment is no reply as well, so that the guard says no more than it checks. */
const isReply = (comment: CommentView): comment is StandingComment & { readonly isReply: true } => !comment.removed && comment.isReply;

const inTime = (a: CommentView, b: CommentView) => a.dateAdded - b.dateAdded || a.position - b.position;

/** Threads, the newest first. A removed comment stands only as long as somebody's replies do. */
export function threadsOf(comments: readonly CommentView[], uid: Uid): readonly Thread[] {
  const replies = new Map<Id, StandingComment[]>();
  for (const reply of comments.filter(isReply).toSorted(inTime)) {
    const parentId = reply.parentCommentId ?? '';
    replies.set(parentId, [...(replies.get(parentId) ?? []), reply]);
  }
  const threads = comments.filter((comment) => !isReply(comment)).map((first) => ({ first, replies: replies.get(first._id) ?? [] }));
  return threads.filter(({ first, replies: said }) => (first.removed ? said.length > 0 : isSeenBy(uid, first))).toSorted((a, b) => inTime(b.first, a.first));
}

/** What opens the replies: Reply, 1 Reply, N Replies. */
export const repliesLabel = (count: number): string => (count === 0 ? 'Reply' : count === 1 ? '1 Reply' : `${count} Replies`);
