import { mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { useQueryClient } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { EmptyState } from '../../shared/ui/empty-state';
import { CommentThread, type Lit } from './comment-thread';
import { type Thread, threadsOf } from './comment-threads';
import './comments.css';
import { Composer, type ComposerHandle } from './composer';
import { delivery } from './deliver-comment';
import { OutgoingComment } from './outgoing-comment';
import { type Outgoing, outboxOf } from './outbox';
import { PlaceContext, type Surroundings, SurroundingsContext, usePlaceOf } from './surroundings';
import { useAnswersWithoutThread } from './use-answers-without-thread';

export interface CommentsPanelProps {
  readonly around: Surroundings;
  readonly comments: readonly CommentView[];
  readonly lit: Lit | null;
  readonly ref?: Ref<ComposerHandle>;
}

/** What this tab has sent and the server has not answered yet. */
function useOutgoing({ user, projectId }: Surroundings) {
  const cache = useQueryClient();
  const outbox = outboxOf(user.uid, projectId);
  useEffect(() => outbox.deliverBy(delivery(cache, projectId)), [outbox, cache, projectId]);
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot);
}

const NONE: readonly Outgoing[] = [];

/** The same list for every thread without any. */
function repliesOnTheirWay(outgoing: readonly Outgoing[], { first }: Thread): readonly Outgoing[] {
  const replies = outgoing.filter(({ parentId }) => !first.removed && parentId === first._id);
  return replies.length === 0 ? NONE : replies;
}

const leadsInto = ({ first, replies }: Thread, lit: Lit | null) => lit !== null && [first, ...replies].some(({ _id }) => _id === lit.id);

/** Everything said about a project, the newest first, and the box to say more. */
export function CommentsPanel({ around, comments, lit, ref }: CommentsPanelProps) {
  const { user, viewer } = around;
  const [since] = useState(Date.now);
  const place = usePlaceOf(around);
  const threads = useMemo(() => threadsOf(comments, user.uid), [comments, user.uid]);
  const outgoing = useOutgoing(around).filter(({ sentAs }) => !comments.some(({ _id }) => _id === sentAs));
  const composer = useRef<ComposerHandle>(null);
  useImperativeHandle(ref, () => ({
    focus: (withTag) => composer.current?.focus(withTag),
    takeBack: (text) => composer.current?.takeBack(text),
  }));
  const mayWrite = mayWriteComment(viewer);
  useAnswersWithoutThread(around, threads, mayWrite ? (text) => composer.current?.takeBack(text) : null);
  const isBelow = (parentId: Id | null) => threads.some(({ first }) => !first.removed && first._id === parentId);
  const begun = outgoing.filter(({ parentId }) => !isBelow(parentId)).toReversed();
  return (
    <SurroundingsContext value={around}>
      <PlaceContext value={place}>
        <div className="comments">
          {mayWrite && <Composer ref={composer} />}
          {begun.map((one) => (
            <OutgoingComment key={one.key} outgoing={one} onTakeBack={(text) => composer.current?.takeBack(text)} />
          ))}
          {threads.map((thread) => (
            <CommentThread
              key={thread.first._id}
              thread={thread}
              outgoing={repliesOnTheirWay(outgoing, thread)}
              lit={leadsInto(thread, lit) ? lit : null}
              since={since}
            />
          ))}
          {threads.length === 0 && begun.length === 0 && <EmptyState icon={MessageSquare}>No comments (yet)</EmptyState>}
        </div>
      </PlaceContext>
    </SurroundingsContext>
  );
}
