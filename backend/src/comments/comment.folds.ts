import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Folds } from '../kernel/decider.js';
import type { CommentFacts, ProjectState } from '../projects/project.state.js';

const newComment = (authorUid: Uid | null, facts: Pick<CommentFacts, 'kind' | 'content' | 'taggedUsers' | 'marks' | 'parentCommentId'>): CommentFacts => ({
  ...facts,
  authorUid: authorUid ?? '',
  replyIds: [],
  removed: false,
  imageKey: null,
  ratings: {},
});

const change = (project: ProjectState, commentId: Id | null, facts: (comment: CommentFacts) => Partial<CommentFacts>): ProjectState => {
  const comment = commentId === null ? undefined : project.comments[commentId];
  if (comment !== undefined && commentId !== null) project.comments[commentId] = { ...comment, ...facts(comment) };
  return project;
};

/** Folds a project's comments from its events. */
export const commentFolds: Folds<CommentEvents, ProjectState> = {
  CommentAdded(project, { data, meta }) {
    const { kind, content, taggedUsers, marks } = data;
    project.comments[data.commentId] = newComment(meta.actorUid, { kind, content, taggedUsers, marks, parentCommentId: null });
    return project;
  },
  CommentReplyAdded(project, { data, meta }) {
    const { parentCommentId, content, taggedUsers, marks } = data;
    project.comments[data.commentId] = newComment(meta.actorUid, { kind: 'text', content, taggedUsers, marks, parentCommentId });
    return change(project, parentCommentId, (parent) => ({ replyIds: [...parent.replyIds, data.commentId] }));
  },
  CommentEdited: (project, { data }) => change(project, data.commentId, () => ({ content: data.content, taggedUsers: data.taggedUsers, marks: data.to })),
  'CommentImageAdded.v2': (project, { data }) => change(project, data.commentId, () => ({ imageKey: data.key })),
  CommentRemoved(project, { data }) {
    change(project, data.commentId, () => ({ removed: true }));
    change(project, data.parentCommentId, (parent) => ({ replyIds: parent.replyIds.filter((id) => id !== data.commentId) }));
    for (const commentId of data.gone) delete project.comments[commentId];
    return project;
  },
  CommentRated: (project, { data, meta }) =>
    change(project, data.commentId, ({ ratings }) => {
      const { [meta.actorUid ?? '']: _before, ...others } = ratings;
      return { ratings: data.to === null ? others : { ...others, [meta.actorUid ?? '']: data.to } };
    }),
};
