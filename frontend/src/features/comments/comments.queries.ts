import type { Rating } from '@roughmix/contracts/comments/comment.events.js';
import { COMMENT_PATHS } from '@roughmix/contracts/comments/comment.paths.js';
import type { CommentEditedAnswer, CommentRatedAnswer, CommentRemovedAnswer, CommentView, StandingComment } from '@roughmix/contracts/comments/comment.view.js';
import type { CommentChanges } from '@roughmix/contracts/comments/comment.api.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { queryOptions, skipToken, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { removeIds, upsertNewer } from '../../shared/api/upsert-newer';
import { useToast } from '../../shared/ui/toast-queue';

type Comments = readonly CommentView[];

/** A project's comments and replies. The project page's request fills the list; answers and live messages keep it up to date. */
export const commentsOf = (projectId: Id) => queryOptions<Comments>({ queryKey: ['comments', projectId], queryFn: skipToken });

export const changeComments = (cache: QueryClient, projectId: Id, change: (list: Comments) => Comments): void =>
  void cache.setQueryData(commentsOf(projectId).queryKey, (list) => list && change(list));

/** Messages to rooms leave out what only this viewer may see, so keep the known values. */
function withOwn(list: Comments, came: CommentView): CommentView {
  const known = list.find(({ _id }) => _id === came._id);
  if (came.removed || known === undefined || known.removed) return came;
  const negs = came.negs ?? known.negs;
  const negCount = came.negCount ?? known.negCount;
  return { ...came, ...(negs && { negs }), ...(negCount !== undefined && { negCount }) };
}

/** A removed comment stays in the list only as the parent of its replies. */
const isGone = (comment: CommentView): boolean => comment.removed === true && comment.replyIds.length === 0;

/** Puts comments into the list unless it has newer ones. */
export const takeComments = (cache: QueryClient, projectId: Id, came: Comments): void =>
  changeComments(cache, projectId, (list) =>
    came.reduce((before, one) => (isGone(one) ? removeIds(before, [one._id]) : upsertNewer(before, withOwn(before, one))), list),
  );

export const dropComments = (cache: QueryClient, projectId: Id, ids: readonly Id[]): void => changeComments(cache, projectId, (list) => removeIds(list, ids));

/** Removes the tags of removed regions. */
export function dropTags(cache: QueryClient, projectId: Id, regionIds: ReadonlySet<Id>): void {
  const isTagged = (comment: CommentView): comment is StandingComment => !comment.removed && comment.taggedRegions.some(({ _id }) => regionIds.has(_id));
  changeComments(cache, projectId, (list) =>
    list.some(isTagged)
      ? list.map((one) => (isTagged(one) ? { ...one, taggedRegions: one.taggedRegions.filter(({ _id }) => !regionIds.has(_id)) } : one))
      : list,
  );
}

/** Edits the user's own comment. */
export function useEditComment({ _id, projectId }: Pick<StandingComment, '_id' | 'projectId'>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (submission: CommentChanges) =>
      (await api.send<CommentEditedAnswer>('PUT', COMMENT_PATHS.one(_id), { projectId, submission })).answer.updatedContent,
    onSuccess: (view) => takeComments(cache, projectId, [view]),
  });
}

/** The placeholder of a removed comment that still has replies. */
const placeholderOf = ({ _id, projectId, dateAdded, replyIds }: StandingComment, position: number): CommentView => ({
  _id,
  projectId,
  dateAdded,
  replyIds,
  position,
  removed: true,
  content: null,
  user: null,
});

/** Removes the user's own comment. With replies it stays as a placeholder. */
export function useRemoveComment(comment: StandingComment, hasReplies: boolean) {
  const cache = useQueryClient();
  const { _id, projectId, parentCommentId } = comment;
  return useMutation({
    mutationFn: () => api.send<CommentRemovedAnswer>('POST', COMMENT_PATHS.one(_id), { projectId }),
    onSuccess: ({ answer: { updatedParentComment }, position }) => {
      if (hasReplies) return takeComments(cache, projectId, [placeholderOf(comment, position ?? comment.position)]);
      dropComments(cache, projectId, [_id]);
      if (updatedParentComment !== null) return takeComments(cache, projectId, [updatedParentComment]);
      return changeComments(cache, projectId, (list) => list.filter((one) => one._id !== parentCommentId || !one.removed));
    },
  });
}

/** The comment with the user's rating changed. */
export function rated(comment: StandingComment, uid: Uid, to: Rating | null): StandingComment {
  const others = (uids: readonly Uid[]) => uids.filter((one) => one !== uid);
  const likes = [...others(comment.likes), ...(to === 'likes' ? [uid] : [])];
  return { ...comment, likes, negs: to === 'negs' ? [uid] : [] };
}

/** Likes and dislikes a comment, with an optimistic update that is undone when the server refuses. */
export function useRateComment(comment: StandingComment, uid: Uid) {
  const cache = useQueryClient();
  const toaster = useToast();
  const { _id, projectId } = comment;
  return useMutation({
    scope: { id: `rate-${_id}` },
    mutationFn: async ({ type, on }: { readonly type: Rating; readonly on: boolean }) =>
      (await api.send<CommentRatedAnswer>('PUT', COMMENT_PATHS.rating(_id), { projectId, type, on })).answer.updatedComment,
    onMutate: ({ type, on }) => takeComments(cache, projectId, [rated(comment, uid, on ? type : null)]),
    onSuccess: (view) => takeComments(cache, projectId, [view]),
    onError: (error) => {
      takeComments(cache, projectId, [comment]);
      toaster.show({ kind: 'failed', message: sentenceOf(error) });
    },
  });
}
