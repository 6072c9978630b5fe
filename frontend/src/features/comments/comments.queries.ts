import type { Rating } from '@roughmix/contracts/comments/comment.events.js';
import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import type { CommentEditedAnswer, CommentRatedAnswer, CommentRemovedAnswer, CommentView, ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Position, Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions, skipToken, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { useOptimisticEdits, usePendingEdits } from '../../shared/api/optimistic-edits';
import { removeItems, takeItems } from '../../shared/live/cached-list';
import type { PostChanges } from '../../shared/posts/post-editor';
import { rowOf } from '../../shared/posts/focus-after-removal';
import { withoutReplyIds } from '../../shared/posts/threads';
import { usePendingRemovals, useRemovedIds } from '../../shared/removals/removals-provider';
import { unlessGone } from '../../shared/removals/unless-gone';
import { useToast } from '../../shared/ui/toast-queue';

type Comments = readonly CommentView[];

/** A project's comments and replies. The project page's request fills the list; answers and live messages keep it up to date. */
export const commentsOf = (projectId: Id) => queryOptions<Comments>({ queryKey: ['comments', projectId], queryFn: skipToken });

/** Messages to rooms leave out what only this viewer may see, so keep the known values. */
function withOwn(list: Comments, incoming: CommentView): CommentView {
  const known = list.find(({ _id }) => _id === incoming._id);
  if (incoming.removed || known === undefined || known.removed) return incoming;
  const negs = incoming.negs ?? known.negs;
  const negCount = incoming.negCount ?? known.negCount;
  return { ...incoming, ...(negs && { negs }), ...(negCount !== undefined && { negCount }) };
}

/** A removed comment stays in the list only as the parent of its replies. */
const isGone = (comment: CommentView): boolean => comment.removed === true && comment.replyIds.length === 0;

/** Takes comments into the list; the newest position of each wins. */
export function takeComments(cache: QueryClient, projectId: Id, incoming: Comments): void {
  const { queryKey } = commentsOf(projectId);
  for (const one of incoming) {
    if (isGone(one)) dropComments(cache, projectId, [one._id], one.position);
    else takeItems(cache, queryKey, [withOwn(cache.getQueryData(queryKey) ?? [], one)]);
  }
}

/** Removes comments and replies, also from the ids of their parents, which arrive with a later message. */
export function dropComments(cache: QueryClient, projectId: Id, ids: readonly Id[], position: Position): void {
  const { queryKey } = commentsOf(projectId);
  removeItems(cache, queryKey, ids, position);
  cache.setQueryData(queryKey, (list) => list && withoutReplyIds(list, new Set(ids)));
}

/** Edits the user's own comment. */
export function useEditComment({ _id, projectId }: Pick<ActiveComment, '_id' | 'projectId'>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (submission: PostChanges) =>
      (await api.send<CommentEditedAnswer>('PUT', COMMENT_PATHS.one(_id), { projectId, submission })).answer.updatedContent,
    onSuccess: (view) => takeComments(cache, projectId, [view]),
  });
}

/** The placeholder of a removed comment that still has replies. */
const placeholderOf = ({ _id, projectId, dateAdded, replyIds }: ActiveComment, position: number): CommentView => ({
  _id,
  projectId,
  dateAdded,
  replyIds,
  position,
  removed: true,
  content: null,
  user: null,
});

const hasReplies = (comments: Comments, id: Id, removed: ReadonlySet<Id> = new Set()): boolean =>
  comments.some((comment) => !comment.removed && comment.parentCommentId === id && !removed.has(comment._id));

/** The comments without those that are being removed. One with replies shows as removed. */
export function withoutComments(comments: Comments, removed: ReadonlySet<Id>): Comments {
  if (!comments.some(({ _id }) => removed.has(_id))) return comments;
  const shown = comments.filter((comment) => !(removed.has(comment._id) && !hasReplies(comments, comment._id, removed)));
  return withoutReplyIds(shown, removed).map((comment) => (removed.has(comment._id) && !comment.removed ? placeholderOf(comment, comment.position) : comment));
}

/** The comments as the page shows them. */
export function useComments(projectId: Id): Comments | undefined {
  const { data } = useQuery(commentsOf(projectId));
  const removed = useRemovedIds();
  return useMemo(() => data && withoutComments(data, removed), [data, removed]);
}

/** Applies a removal to the cache. With replies the comment stays as a placeholder. */
function takeRemoval(cache: QueryClient, comment: ActiveComment, updatedParent: CommentView | null, removedAt: Position): void {
  const { _id, projectId, parentCommentId } = comment;
  const comments = cache.getQueryData(commentsOf(projectId).queryKey) ?? [];
  if (hasReplies(comments, _id)) return takeComments(cache, projectId, [placeholderOf(comment, removedAt)]);
  dropComments(cache, projectId, [_id], removedAt);
  if (updatedParent !== null) return takeComments(cache, projectId, [updatedParent]);
  const parent = comments.find((one) => one._id === parentCommentId);
  return parent?.removed ? dropComments(cache, projectId, [parent._id], removedAt) : undefined;
}

/** Removes the user's own comment, with an Undo. */
export function useRemoveComment(comment: ActiveComment) {
  const cache = useQueryClient();
  const removals = usePendingRemovals();
  const { _id, projectId, isReply } = comment;
  const what = isReply ? 'reply' : 'comment';
  return (onUndone: () => void) =>
    removals.remove({
      id: _id,
      done: isReply ? 'Reply removed.' : 'Comment removed.',
      failed: `The ${what} was not removed.`,
      send: async (options) => {
        const sent = await unlessGone('comment.not-found', api.send<CommentRemovedAnswer>('POST', COMMENT_PATHS.one(_id), { projectId }, options));
        takeRemoval(cache, comment, sent?.answer.updatedParentComment ?? null, sent?.position ?? comment.position);
      },
      // A comment with replies leaves a placeholder in its place.
      row: () => (hasReplies(cache.getQueryData(commentsOf(projectId).queryKey) ?? [], _id) ? null : rowOf(`comment-${_id}`)),
      onUndone,
    });
}

/** The comment with the user's rating changed. */
export function rated(comment: ActiveComment, uid: Uid, to: Rating | null): ActiveComment {
  const others = (uids: readonly Uid[]) => uids.filter((one) => one !== uid);
  const likes = [...others(comment.likes), ...(to === 'likes' ? [uid] : [])];
  return { ...comment, likes, negs: to === 'negs' ? [uid] : [] };
}

interface RatingChange {
  readonly type: Rating;
  readonly on: boolean;
}

/** Likes and dislikes: `shown` has them at once, and the server's copy again if they are refused. */
export function useRateComment(comment: ActiveComment, uid: Uid) {
  const cache = useQueryClient();
  const toaster = useToast();
  const { _id, projectId } = comment;
  const key = ['rate', projectId, _id];
  const rate = useOptimisticEdits<RatingChange, CommentView>({
    key,
    send: async ({ changes: { type, on } }) =>
      (await api.send<CommentRatedAnswer>('PUT', COMMENT_PATHS.rating(_id), { projectId, type, on })).answer.updatedComment,
    onSaved: (view) => takeComments(cache, projectId, [view]),
    onFailed: (error, retry) => toaster.show({ kind: 'failed', message: errorMessage(error), action: { label: 'Retry', onPress: retry } }),
  });
  const pending = usePendingEdits<RatingChange>(key);
  const shown = pending.reduce((before, { changes: { type, on } }) => rated(before, uid, on ? type : null), comment);
  return { shown, rate: (type: Rating, on: boolean) => rate({ id: _id, changes: { type, on } }) };
}
