import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { Instant } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { memo } from 'react';
import { type Highlight, requestFor } from '../../shared/posts/highlight';
import { ThreadView } from '../../shared/posts/thread';
import { isSameThread } from '../../shared/posts/threads';
import { useProject } from '../../shared/project/project-context';
import { CommentArticle } from './comment-article';
import type { CommentThread as Thread } from './comment-threads';
import type { OutgoingComment } from './new-comment';
import { UnsentComment } from './unsent-comment';
import { useCommentPlace } from './use-comment-place';

export interface CommentThreadProps {
  readonly thread: Thread;
  /** The user's replies that the server does not have yet. */
  readonly unsent: readonly OutgoingComment[];
  readonly highlight: Highlight | null;
  /** When the page was opened: comments added later appear with an animation. */
  readonly openedAt: Instant;
}

/** Each new comment rebuilds all threads, but the comments in them stay the same objects. */
const isUnchanged = (before: CommentThreadProps, now: CommentThreadProps): boolean =>
  isSameThread(before.thread, now.thread) && before.unsent === now.unsent && before.highlight === now.highlight && before.openedAt === now.openedAt;

/** A comment and its replies. Memoized because there may be hundreds. */
export const CommentThread = memo(function CommentThread({ thread: { first, replies }, unsent, highlight, openedAt }: CommentThreadProps) {
  const { viewer } = useProject();
  const place = useCommentPlace(first._id);
  const facts = (comment: typeof first) => ({
    comment,
    highlightRequest: requestFor(highlight, comment._id),
    isNew: comment.dateAdded > openedAt,
  });
  return (
    <ThreadView
      first={(toggle) => (
        <CommentArticle {...facts(first)} hasReplies={replies.length > 0}>
          {toggle}
        </CommentArticle>
      )}
      replies={replies}
      replyIds={first.replyIds}
      reply={(reply) => <CommentArticle key={reply._id} {...facts(reply)} hasReplies={false} />}
      unsent={unsent}
      UnsentReply={UnsentComment}
      box={mayWriteComment(viewer) && !first.removed ? { label: `Reply to ${fullName(first.user)}`, place } : null}
      highlight={highlight}
    />
  );
}, isUnchanged);
