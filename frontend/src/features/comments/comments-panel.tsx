import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { MessageSquare } from 'lucide-react';
import { type Ref, useImperativeHandle, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useProject } from '../../shared/project/project-context';
import { EmptyState } from '../../shared/ui/empty-state';
import { CommentThread, type Highlight } from './comment-thread';
import { type Thread, threadsOf } from './comment-threads';
import './comments.css';
import { Composer, type ComposerHandle } from './composer';
import type { OutgoingComment } from './new-comment';
import { UnsentComment } from './unsent-comment';
import { useCommentOutbox } from './use-comment-outbox';
import { useRescueOrphanedReplies } from './use-rescue-orphaned-replies';
import type { SelectedRegion } from './use-writing';

export interface CommentsPanelProps {
  readonly comments: readonly CommentView[];
  readonly highlight: Highlight | null;
  /** The region on the wave that a new comment can be tagged with. Keep the object the same while nothing in it changes. */
  readonly region: SelectedRegion | null;
  readonly ref?: Ref<ComposerHandle>;
}

/** The user's comments that the list does not show yet. */
function useUnsent(comments: readonly CommentView[]): readonly OutgoingComment[] {
  const outbox = useCommentOutbox();
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot).filter(({ sentAs }) => !comments.some(({ _id }) => _id === sentAs));
}

const NONE: readonly OutgoingComment[] = [];

/** Returns the same empty list for all threads without unsent replies, to avoid rendering them again. */
function unsentReplies(unsent: readonly OutgoingComment[], { first }: Thread): readonly OutgoingComment[] {
  const replies = unsent.filter(({ parentId }) => !first.removed && parentId === first._id);
  return replies.length === 0 ? NONE : replies;
}

const contains = ({ first, replies }: Thread, highlight: Highlight | null) => [first, ...replies].some(({ _id }) => _id === highlight?.id);

/** A project's comments, the newest first, below the box for a new one. */
export function CommentsPanel({ comments, highlight, region, ref }: CommentsPanelProps) {
  const { user, viewer } = useProject();
  const [openedAt] = useState(Date.now);
  const threads = useMemo(() => threadsOf(comments, user.uid), [comments, user.uid]);
  const unsent = useUnsent(comments);
  const composer = useRef<ComposerHandle>(null);
  useImperativeHandle(ref, () => ({
    focus: (withTag) => composer.current?.focus(withTag),
    takeBack: (text) => composer.current?.takeBack(text),
  }));
  const takeBack = (text: string) => composer.current?.takeBack(text);
  const mayWrite = mayWriteComment(viewer);
  useRescueOrphanedReplies(threads, mayWrite ? takeBack : null);
  const hasThread = (parentId: Id | null) => threads.some(({ first }) => !first.removed && first._id === parentId);
  const unsentThreads = unsent.filter(({ parentId }) => !hasThread(parentId)).toReversed();
  return (
    <div className="comments">
      {mayWrite && <Composer ref={composer} region={region} />}
      {unsentThreads.map((comment) => (
        <UnsentComment key={comment.key} comment={comment} onTakeBack={takeBack} />
      ))}
      {threads.map((thread) => (
        <CommentThread
          key={thread.first._id}
          thread={thread}
          unsent={unsentReplies(unsent, thread)}
          highlight={contains(thread, highlight) ? highlight : null}
          openedAt={openedAt}
        />
      ))}
      {threads.length === 0 && unsentThreads.length === 0 && <EmptyState icon={MessageSquare}>No comments (yet)</EmptyState>}
    </div>
  );
}
