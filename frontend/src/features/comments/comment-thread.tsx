import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { ChevronDown } from 'lucide-react';
import { memo, useId, useRef, useState } from 'react';
import { useProject } from '../../shared/project/project-context';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { CommentArticle } from './comment-article';
import { isSameThread, repliesLabel, type Thread } from './comment-threads';
import type { OutgoingComment } from './new-comment';
import { ReplyBox, type ReplyBoxHandle } from './reply-box';
import { UnsentComment } from './unsent-comment';

/** A request to show one comment. `requestId` counts up, so that the same comment can be requested again. */
export interface Highlight {
  readonly id: Id;
  readonly requestId: number;
}

export interface CommentThreadProps {
  readonly thread: Thread;
  /** The user's replies that the server does not have yet. */
  readonly unsent: readonly OutgoingComment[];
  readonly highlight: Highlight | null;
  /** When the page was opened: comments added later appear with an animation. */
  readonly openedAt: Instant;
}

const requestFor = (highlight: Highlight | null, id: Id) => (highlight?.id === id ? highlight.requestId : 0);

/** Each new comment rebuilds all threads, but the comments in them stay the same objects. */
const isUnchanged = (before: CommentThreadProps, now: CommentThreadProps): boolean =>
  isSameThread(before.thread, now.thread) && before.unsent === now.unsent && before.highlight === now.highlight && before.openedAt === now.openedAt;

/** A comment, and below it the replies and the box for a new reply once they are opened. Memoized because there may be hundreds. */
export const CommentThread = memo(function CommentThread({ thread: { first, replies }, unsent, highlight, openedAt }: CommentThreadProps) {
  const { viewer } = useProject();
  const [isOpen, setOpen] = useState(false);
  const [openedFor, setOpenedFor] = useState<Highlight | null>(null);
  const box = useRef<ReplyBoxHandle>(null);
  const id = useId();
  const mustOpen = highlight !== null && highlight !== openedFor && replies.some((reply) => reply._id === highlight.id);
  if (mustOpen) {
    setOpenedFor(highlight);
    setOpen(true);
  }
  const mayReply = mayWriteComment(viewer) && !first.removed;
  const hasReplies = replies.length > 0;
  const isExpanded = isOpen || unsent.length > 0;
  return (
    <div className="comment-thread">
      <CommentArticle comment={first} hasReplies={hasReplies} highlightRequest={requestFor(highlight, first._id)} isNew={first.dateAdded > openedAt}>
        {(mayReply || hasReplies) && (
          <Button size="s" variant="quiet" aria-expanded={isExpanded} aria-controls={isExpanded ? id : undefined} onPress={() => setOpen(!isOpen)}>
            {repliesLabel(replies.length)}
            {hasReplies && <Icon of={ChevronDown} size={12} className={isExpanded ? 'turned' : 'turns'} />}
          </Button>
        )}
      </CommentArticle>
      {isExpanded && (
        <div className="thread" id={id}>
          {replies.map((reply) => (
            <CommentArticle
              key={reply._id}
              comment={reply}
              hasReplies={false}
              highlightRequest={requestFor(highlight, reply._id)}
              isNew={reply.dateAdded > openedAt}
            />
          ))}
          {unsent.map((reply) => (
            <UnsentComment key={reply.key} comment={reply} onTakeBack={(text) => box.current?.takeBack(text)} />
          ))}
          {mayReply && <ReplyBox ref={box} autoFocus={isOpen && !hasReplies} parentId={first._id} label={`Reply to ${fullName(first.user)}`} />}
        </div>
      )}
    </div>
  );
}, isUnchanged);
