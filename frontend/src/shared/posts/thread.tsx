import type { Id } from '@roughmix/contracts/shared/ids.js';
import { ChevronDown } from 'lucide-react';
import { type ComponentType, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { SkeletonRows } from '../ui/skeleton';
import type { Highlight } from './highlight';
import type { OutgoingPost } from './new-post';
import './posts.css';
import { ReplyBox, type ReplyBoxHandle } from './reply-box';
import { repliesLabel } from './threads';
import type { WritingPlace } from './use-writing';

interface ThreadViewProps<Reply extends { readonly _id: Id }, Unsent extends OutgoingPost> {
  /** Draws the first post; `toggle` is the button that opens the replies. */
  readonly first: (toggle: ReactNode) => ReactNode;
  readonly replies: readonly Reply[];
  /** The ids of all replies: for those that are not loaded yet there is a placeholder. */
  readonly replyIds: readonly Id[];
  readonly reply: (reply: Reply) => ReactNode;
  /** The user's replies that the server does not have yet. */
  readonly unsent: readonly Unsent[];
  readonly UnsentReply: ComponentType<{ readonly post: Unsent; readonly onTakeBack: (text: string) => void }>;
  /** The box for a new reply; null for viewers who may not write one. */
  readonly box: { readonly label: string; readonly place: WritingPlace } | null;
  readonly highlight: Highlight | null;
}

/** True once opened by the button, or by a highlight of one of the replies. */
function useOpen({ replies, highlight }: { readonly replies: readonly { readonly _id: Id }[]; readonly highlight: Highlight | null }) {
  const [isOpen, setOpen] = useState(false);
  const [openedFor, setOpenedFor] = useState<Highlight | null>(null);
  if (highlight !== null && highlight !== openedFor && replies.some(({ _id }) => _id === highlight.id)) {
    setOpenedFor(highlight);
    setOpen(true);
  }
  return [isOpen, setOpen] as const;
}

/** A post, and below it the replies and the box for a new reply once they are opened. */
export function ThreadView<Reply extends { readonly _id: Id }, Unsent extends OutgoingPost>(props: ThreadViewProps<Reply, Unsent>) {
  const { first, replies, replyIds, reply, unsent, UnsentReply, box } = props;
  const [isOpen, setOpen] = useOpen(props);
  const replyBox = useRef<ReplyBoxHandle>(null);
  const id = useId();
  const unloaded = replyIds.filter((replyId) => !replies.some(({ _id }) => _id === replyId)).length;
  const count = replies.length + unloaded;
  const hasReplies = count > 0;
  const isExpanded = isOpen || unsent.length > 0;
  const toggle = (box !== null || hasReplies) && (
    <Button size="s" variant="quiet" aria-expanded={isExpanded} aria-controls={isExpanded ? id : undefined} onPress={() => setOpen(!isOpen)}>
      {repliesLabel(count)}
      {hasReplies && <Icon of={ChevronDown} size={12} className={isExpanded ? 'turned' : 'turns'} />}
    </Button>
  );
  return (
    <div className="post-thread">
      {first(toggle)}
      {isExpanded && (
        <div className="thread arrives" id={id}>
          {replies.map(reply)}
          {unloaded > 0 && <SkeletonRows label="Loading replies" rows={unloaded} />}
          {unsent.map((post) => (
            <UnsentReply key={post.key} post={post} onTakeBack={(text) => replyBox.current?.takeBack(text)} />
          ))}
          {box !== null && <ReplyBox ref={replyBox} autoFocus={isOpen && !hasReplies} place={box.place} label={box.label} />}
        </div>
      )}
    </div>
  );
}
