import { mayEditComment, mayRateComment, mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentEvents, Rating } from '@roughmix/contracts/comments/comment.events.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { sameMarks, type WantedMarks } from '@roughmix/contracts/shared/marks.js';
import type { Rules } from '../kernel/decider.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { addPost, editPost, removePosts, resolveMarks, type StoredText } from '../projects/post.decider.js';
import type { CommentFacts, ProjectState } from '../projects/project.state.js';
import { type TagCommand, wantedTags } from '../regions/tagged-region.decider.js';

export { commentFolds } from './comment.folds.js';

export interface CommentCommands {
  /** `versionId` null means the current version. */
  AddComment: StoredText & { readonly commentId: Id; readonly kind: 'text' | 'image'; readonly versionId: Id | null; readonly marks: WantedMarks };
  ReplyToComment: StoredText & { readonly commentId: Id; readonly parentCommentId: Id; readonly versionId: Id | null; readonly marks: WantedMarks };
  /** Missing fields stay as they are. */
  EditComment: Partial<StoredText> & WantedMarks & { readonly commentId: Id };
  TagComment: TagCommand & { readonly commentId: Id };
  AddCommentImage: CommentEvents['CommentImageAdded.v2'];
  RemoveComment: { readonly commentId: Id };
  RateComment: { readonly commentId: Id; readonly type: Rating; readonly on: boolean };
}

const existing = (project: ProjectState, commentId: Id): CommentFacts | null => {
  const comment = project.comments[commentId];
  return comment === undefined || comment.removed ? null : comment;
};

/** Ids removed along with this comment: its own unless it has replies, and that of a removed parent that loses its last reply. */
function removedAlong(commentId: Id, comment: CommentFacts, project: ProjectState): readonly Id[] {
  if (comment.replyIds.length > 0) return [];
  const parent = comment.parentCommentId === null ? undefined : project.comments[comment.parentCommentId];
  const isLast = parent?.removed === true && parent.replyIds.length === 1;
  return isLast && comment.parentCommentId !== null ? [commentId, comment.parentCommentId] : [commentId];
}

/** The events of an edit; missing fields stay as they are. */
function edited(
  commentId: Id,
  comment: CommentFacts,
  change: Partial<StoredText> & WantedMarks,
  project: ProjectState,
): readonly ProjectStreamEvent[] | Refusal {
  const { content, taggedUsers, marks: from } = { ...comment, ...change };
  const to = resolveMarks(change, project, from);
  if (isRefusal(to)) return to;
  if (content === comment.content && sameMarks(from, to.marks)) return [];
  return editPost(commentId, { before: from, to }, project, { type: 'CommentEdited', data: { commentId, content, taggedUsers, from, to: to.marks } });
}

export const commentRules: Rules<CommentCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  AddComment(comment, project, who) {
    if (!mayWriteComment(who)) return refuse('project.not-allowed');
    if (project.comments[comment.commentId] !== undefined) return [];
    return addPost(comment, project, (place) => ({ type: 'CommentAdded', data: { ...comment, ...place } }));
  },

  ReplyToComment({ parentCommentId, ...reply }, project, who) {
    const target = existing(project, parentCommentId);
    const first = target?.parentCommentId ?? parentCommentId;
    if (target === null || project.comments[first] === undefined) return refuse('comment.not-found');
    if (!mayWriteComment(who)) return refuse('project.not-allowed');
    if (project.comments[reply.commentId] !== undefined) return [];
    return addPost(reply, project, (place) => ({ type: 'CommentReplyAdded', data: { ...reply, ...place, parentCommentId: first } }));
  },

  EditComment({ commentId, ...change }, project, who) {
    const comment = existing(project, commentId);
    if (comment === null) return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    if (comment.kind !== 'text') return refuse('comment.not-text');
    return edited(commentId, comment, change, project);
  },

  TagComment({ commentId, ...tag }, project, who) {
    const comment = existing(project, commentId);
    if (comment === null) return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    const taggedRegions = wantedTags(tag, comment.marks, project);
    return isRefusal(taggedRegions) ? taggedRegions : edited(commentId, comment, { taggedRegions }, project);
  },

  AddCommentImage(image, project, who) {
    const comment = existing(project, image.commentId);
    if (comment === null || comment.kind !== 'image') return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    if (comment.imageKey !== null) return refuse('upload.used');
    return [{ type: 'CommentImageAdded.v2', data: image }];
  },

  RemoveComment({ commentId }, project, who) {
    const comment = existing(project, commentId);
    if (comment === null) return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    const { parentCommentId, marks } = comment;
    const { taggedRegions } = marks;
    const data = { commentId, parentCommentId, taggedRegions, gone: removedAlong(commentId, comment, project) };
    return removePosts({ ids: [commentId], taggedRegions }, project, { type: 'CommentRemoved', data });
  },

  RateComment({ commentId, type, on }, project, who) {
    const comment = existing(project, commentId);
    if (comment === null) return refuse('comment.not-found');
    if (comment.authorUid === who.uid) return refuse('comment.own');
    if (!mayRateComment(who, comment)) return refuse('project.not-allowed');
    const from = comment.ratings[who.uid] ?? null;
    const to = on ? type : from === type ? null : from;
    return from === to ? [] : [{ type: 'CommentRated', data: { commentId, from, to } }];
  },
};
