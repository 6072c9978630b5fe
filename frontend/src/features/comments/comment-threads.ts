import type { CommentView, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';

/** A comment with its replies, the oldest first. */
export interface Thread {
  readonly first: CommentView;
  readonly replies: readonly ActiveComment[];
}

/** Compares by identity: a changed comment is another object. */
export const isSameThread = (a: Thread, b: Thread): boolean =>
  a.first === b.first && a.replies.length === b.replies.length && a.replies.every((reply, at) => reply === b.replies[at]);

/** An image comment without its image is visible to its author alone. */
const isVisibleTo = (uid: Uid, { content, user }: ActiveComment): boolean => typeof content === 'string' || content.mediaUrl !== null || user.uid === uid;

/** The intersection keeps top-level comments in the type of the other branch. */
const isReply = (comment: CommentView): comment is ActiveComment & { readonly isReply: true } => !comment.removed && comment.isReply;

const byDate = (a: CommentView, b: CommentView) => a.dateAdded - b.dateAdded || a.position - b.position;

/** Threads, the newest first. A removed comment stays as long as it has replies. */
export function threadsOf(comments: readonly CommentView[], uid: Uid): readonly Thread[] {
  const replies = new Map<Id, ActiveComment[]>();
  for (const reply of comments.filter(isReply).toSorted(byDate)) {
    const parentId = reply.parentCommentId ?? '';
    replies.set(parentId, [...(replies.get(parentId) ?? []), reply]);
  }
  const threads = comments.filter((comment) => !isReply(comment)).map((first) => ({ first, replies: replies.get(first._id) ?? [] }));
  return threads.filter(({ first, replies: own }) => (first.removed ? own.length > 0 : isVisibleTo(uid, first))).toSorted((a, b) => byDate(b.first, a.first));
}

/** The label of the button that opens the replies. */
export const repliesLabel = (count: number): string => (count === 0 ? 'Reply' : count === 1 ? '1 Reply' : `${count} Replies`);
