import { mayEditComment, mayRateComment, mayWriteComment } from '@roughmix/contracts/comments/comment.access.js';
import type { CommentEvents, CommentMarks, Rating, Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import type { Rules } from '../kernel/decider.js';
import { type Refusal, refuse } from '../kernel/refusal.js';
import { type CommentFacts, type ProjectState, existingVersion } from '../projects/project.state.js';

export { commentFolds } from './comment.folds.js';

/** Text in the stored form, with the members it mentions. */
interface StoredText {
  readonly content: string;
  readonly taggedUsers: readonly Uid[];
}

export interface CommentCommands {
  /** `versionId` null means the current version. */
  AddComment: StoredText & { readonly commentId: Id; readonly kind: 'text' | 'image'; readonly versionId: Id | null; readonly marks: CommentMarks };
  ReplyToComment: StoredText & { readonly commentId: Id; readonly parentCommentId: Id; readonly versionId: Id | null; readonly marks: CommentMarks };
  /** Missing fields stay as they are. */
  EditComment: Partial<StoredText> & { readonly commentId: Id; readonly taggedRegions?: readonly Id[]; readonly stamp?: Stamp | null };
  AddCommentImage: CommentEvents['CommentImageAdded'];
  RemoveComment: { readonly commentId: Id };
  RateComment: { readonly commentId: Id; readonly type: Rating; readonly on: boolean };
}

const UNMARKED: CommentMarks = { taggedRegions: [], stamp: null };

const sameStamp = (one: Stamp | null, other: Stamp | null): boolean => one?.versionId === other?.versionId && one?.at === other?.at;

/** Refuses marks whose region or version is not in the project; null when all are. Marks from `before` may stay after their target is gone. */
function refuseMarks(marks: CommentMarks, project: ProjectState, before: CommentMarks = UNMARKED): Refusal | null {
  const added = marks.taggedRegions.filter((regionId) => !before.taggedRegions.includes(regionId));
  if (added.some((regionId) => project.regions[regionId] === undefined)) return refuse('region.not-found');
  if (marks.stamp === null || sameStamp(marks.stamp, before.stamp)) return null;
  const version = existingVersion(project, marks.stamp.versionId);
  if (version === null) return refuse('version.not-found');
  return marks.stamp.at < 0 || marks.stamp.at > toMillis(version.file.duration) ? refuse('stamp.out-of-bounds') : null;
}

/** The version that a comment belongs to: the one it names, or else the current one; null when the project has none. */
function versionOf(versionId: Id | null, project: ProjectState): Id | null | Refusal {
  if (versionId === null) return project.versionIds.at(-1) ?? null;
  return existingVersion(project, versionId) === null ? refuse('version.not-found') : versionId;
}

const existing = (project: ProjectState, commentId: Id): CommentFacts | null => {
  const comment = project.comments[commentId];
  return comment === undefined || comment.removed ? null : comment;
};

/** The comments that disappear with this one: itself unless it has replies, and a removed parent that loses its last reply. */
function goneWith(commentId: Id, comment: CommentFacts, project: ProjectState): readonly Id[] {
  if (comment.replyIds.length > 0) return [];
  const parent = comment.parentCommentId === null ? undefined : project.comments[comment.parentCommentId];
  const isLast = parent?.removed === true && parent.replyIds.length === 1;
  return isLast && comment.parentCommentId !== null ? [commentId, comment.parentCommentId] : [commentId];
}

const sameMarks = (one: CommentMarks, other: CommentMarks): boolean => JSON.stringify(one) === JSON.stringify(other);

export const commentRules: Rules<CommentCommands, ProjectState, Viewer, ProjectStreamEvent> = {
  AddComment({ versionId, ...comment }, project, who) {
    if (!mayWriteComment(who)) return refuse('project.not-allowed');
    const of = versionOf(versionId, project);
    if (of !== null && typeof of === 'object') return of;
    return refuseMarks(comment.marks, project) ?? [{ type: 'CommentAdded', data: { ...comment, versionId: of } }];
  },

  ReplyToComment({ versionId, parentCommentId, ...reply }, project, who) {
    if (!mayWriteComment(who)) return refuse('project.not-allowed');
    const target = existing(project, parentCommentId);
    const first = target?.parentCommentId ?? parentCommentId;
    if (target === null || project.comments[first] === undefined) return refuse('comment.not-found');
    const of = versionOf(versionId, project);
    if (of !== null && typeof of === 'object') return of;
    return refuseMarks(reply.marks, project) ?? [{ type: 'CommentReplyAdded', data: { ...reply, parentCommentId: first, versionId: of } }];
  },

  EditComment({ commentId, taggedRegions, stamp, ...text }, project, who) {
    const comment = existing(project, commentId);
    if (comment === null) return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    if (comment.kind !== 'text') return refuse('comment.not-text');
    const to: CommentMarks = { taggedRegions: taggedRegions ?? comment.marks.taggedRegions, stamp: stamp === undefined ? comment.marks.stamp : stamp };
    const content = text.content ?? comment.content;
    if (content === comment.content && sameMarks(comment.marks, to)) return [];
    const data = { commentId, content, taggedUsers: text.taggedUsers ?? comment.taggedUsers, from: comment.marks, to };
    return refuseMarks(to, project, comment.marks) ?? [{ type: 'CommentEdited', data }];
  },

  AddCommentImage(image, project, who) {
    const comment = existing(project, image.commentId);
    if (comment === null || comment.kind !== 'image') return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    if (comment.imageKey !== null) return refuse('upload.used');
    return [{ type: 'CommentImageAdded', data: image }];
  },

  RemoveComment({ commentId }, project, who) {
    const comment = existing(project, commentId);
    if (comment === null) return refuse('comment.not-found');
    if (!mayEditComment(who, comment)) return refuse('comment.not-yours');
    const { parentCommentId, marks } = comment;
    return [{ type: 'CommentRemoved', data: { commentId, parentCommentId, taggedRegions: marks.taggedRegions, gone: goneWith(commentId, comment, project) } }];
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
