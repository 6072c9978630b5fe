import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { MessageSquare } from 'lucide-react';
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useGrowingList } from '../../shared/hooks/use-growing-list';
import type { ComposerHandle } from '../../shared/posts/composer';
import { type Highlight, highlightIn } from '../../shared/posts/highlight';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { repliesTo } from '../../shared/posts/threads';
import { useRescueOrphanedReplies } from '../../shared/posts/use-rescue-orphaned-replies';
import { useUnsent } from '../../shared/posts/use-unsent';
import { useProject } from '../../shared/project/project-context';
import { GuestNote } from '../../shared/session/guest-note';
import { EmptyState } from '../../shared/ui/empty-state';
import { CommentThread } from './comment-thread';
import { threadsOf } from './comment-threads';
import { NewCommentBox } from './new-comment-box';
import { UnsentComment } from './unsent-comment';
import { useCommentOutbox } from './use-comment-outbox';
import { commentDraftKey } from './use-comment-place';

export interface CommentsPanelProps {
  readonly comments: readonly CommentView[];
  readonly highlight: Highlight | null;
  /** The region on the wave that a new comment can be tagged with. Keep the object the same while nothing in it changes. */
  readonly region: SelectedRegion | null;
  readonly ref?: Ref<ComposerHandle>;
}

/** A project's comments, the newest first, below the box for a new one. A long list is rendered in steps. */
export function CommentsPanel({ comments, highlight, region, ref }: CommentsPanelProps) {
  const { user, viewer, projectId } = useProject();
  const [openedAt] = useState(Date.now);
  const threads = useMemo(() => threadsOf(comments, user.uid), [comments, user.uid]);
  const unsent = useUnsent(useCommentOutbox(), comments);
  const composer = useRef<ComposerHandle>(null);
  const takeBack = (text: string) => composer.current?.takeBack(text);
  useImperativeHandle(ref, () => ({
    focus: (withTag) => composer.current?.focus(withTag),
    takeBack,
  }));
  const mayWrite = mayWriteComment(viewer);
  const open = threads.flatMap(({ first }) => (first.removed ? [] : [first._id]));
  const draftKeyOf = (parentId: Id) => commentDraftKey(user.uid, projectId, parentId);
  useRescueOrphanedReplies({ noun: 'comment', open, draftKeyOf, takeBack: mayWrite ? takeBack : null });
  const highlighted = highlight === null ? -1 : threads.findIndex(({ first, replies }) => highlightIn([first, ...replies], highlight) !== null);
  const { count, end } = useGrowingList(threads.length, highlighted + 1);
  const unsentThreads = unsent.filter(({ parentId }) => parentId === null || !open.includes(parentId)).toReversed();
  return (
    <div className="posts">
      {mayWrite ? <NewCommentBox ref={composer} region={region} /> : <GuestNote />}
      {unsentThreads.map((comment) => (
        <UnsentComment key={comment.key} post={comment} onTakeBack={takeBack} />
      ))}
      {threads.slice(0, count).map((thread) => (
        <CommentThread
          key={thread.first._id}
          thread={thread}
          unsent={repliesTo(thread.first.removed ? '' : thread.first._id, unsent)}
          highlight={highlightIn([thread.first, ...thread.replies], highlight)}
          openedAt={openedAt}
        />
      ))}
      {end !== null && <div ref={end} />}
      {threads.length === 0 && unsentThreads.length === 0 && <EmptyState icon={MessageSquare}>No comments (yet)</EmptyState>}
    </div>
  );
}
