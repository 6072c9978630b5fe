import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { Id, Instant } from '@roughmix/contracts/shared/ids.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { ChevronDown } from 'lucide-react';
import { memo, useId, useRef, useState } from 'react';
import { Button } from '../../shared/ui/button';
import { Icon } from '../../shared/ui/icon';
import { CommentArticle } from './comment-article';
import { isSameThread, repliesLabel, type Thread } from './comment-threads';
import { OutgoingComment } from './outgoing-comment';
import type { Outgoing } from './outbox';
import { ReplyBox, type ReplyBoxHandle } from './reply-box';
import { usePlace } from './surroundings';

/** Which comment the page leads to; `nth` counts up, so that it can lead there again. */
export interface Lit {
  readonly id: Id;
  readonly nth: number;
}

export interface CommentThreadProps {
  readonly thread: Thread;
  readonly outgoing: readonly Outgoing[];
  readonly lit: Lit | null;
  /** What was said after this came while one was looking. */
  readonly since: Instant;
}

const nthOf = (lit: Lit | null, id: Id) => (lit?.id === id ? lit.nth : 0);

/** Threads are put together anew with every comment that comes; what they hold stays the same. */
const isAsDrawn = (before: CommentThreadProps, now: CommentThreadProps): boolean =>
  isSameThread(before.thread, now.thread) && before.outgoing === now.outgoing && before.lit === now.lit && before.since === now.since;

/** A comment; its replies open below it, and below them the box for one's own. Drawn again only when something of its own is another. */
export const CommentThread = memo(function CommentThread({ thread: { first, replies }, outgoing, lit, since }: CommentThreadProps) {
  const { viewer } = usePlace();
  const [isOpen, setOpen] = useState(false);
  const [openedFor, setOpenedFor] = useState<Lit | null>(null);
  const box = useRef<ReplyBoxHandle>(null);
  const id = useId();
  const leadsInside = lit !== null && lit !== openedFor && replies.some((reply) => reply._id === lit.id);
  if (leadsInside) {
    setOpenedFor(lit);
    setOpen(true);
  }
  const mayReply = mayWriteComment(viewer) && !first.removed;
  const hasReplies = replies.length > 0;
  const isUnfolded = isOpen || outgoing.length > 0;
  return (
    <div className="comment-thread">
      <CommentArticle comment={first} hasReplies={hasReplies} lit={nthOf(lit, first._id)} isNew={first.dateAdded > since}>
        {(mayReply || hasReplies) && (
          <Button size="s" variant="quiet" aria-expanded={isUnfolded} aria-controls={isUnfolded ? id : undefined} onPress={() => setOpen(!isOpen)}>
            {repliesLabel(replies.length)}
            {hasReplies && <Icon of={ChevronDown} size={12} className={isUnfolded ? 'turned' : 'turns'} />}
          </Button>
        )}
      </CommentArticle>
      {isUnfolded && (
        <div className="thread" id={id}>
          {replies.map((reply) => (
            <CommentArticle key={reply._id} comment={reply} hasReplies={false} lit={nthOf(lit, reply._id)} isNew={reply.dateAdded > since} />
          ))}
          {outgoing.map((one) => (
            <OutgoingComment key={one.key} outgoing={one} onTakeBack={(text) => box.current?.takeBack(text)} />
          ))}
          {mayReply && <ReplyBox ref={box} autoFocus={isOpen && !hasReplies} parentId={first._id} to={`Reply to ${fullName(first.user)}`} />}
        </div>
      )}
    </div>
  );
}, isAsDrawn);
