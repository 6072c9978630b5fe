import { Injectable } from '@nestjs/common';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
  CommentView,
} from '@roughmix/contracts/comments/comment.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { Refused } from '../kernel/refusal.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { CommentsQueries } from './comments.queries.js';

/** The payloads that the comments' commands answer, as they stand afterwards. */
@Injectable()
export class CommentAnswers {
  constructor(
    private readonly projects: ProjectsQueries,
    private readonly comments: CommentsQueries,
  ) {}

  async added(uid: Uid, projectId: Id, commentId: Id): Promise<CommentAddedAnswer> {
    return { newComment: await this.one(commentId, uid), oldComment: null, updatedProject: await this.projects.view(projectId, uid) };
  }

  async replied(uid: Uid, projectId: Id, commentId: Id): Promise<CommentReplyAnswer> {
    const newComment = await this.one(commentId, uid);
    const parentId = newComment.removed ? null : newComment.parentCommentId;
    return { newComment, updatedParentComment: await this.one(parentId ?? commentId, uid), updatedProject: await this.projects.view(projectId, uid) };
  }

  async edited(uid: Uid, projectId: Id, commentId: Id): Promise<CommentEditedAnswer> {
    return { updatedContent: await this.one(commentId, uid), updatedProject: await this.projects.view(projectId, uid) };
  }

  async removed(uid: Uid, projectId: Id, parentId: Id | null): Promise<CommentRemovedAnswer> {
    const [parent] = parentId === null ? [] : await this.comments.byIds([parentId], uid);
    return { updatedParentComment: parent ?? null, updatedProject: await this.projects.view(projectId, uid) };
  }

  async rated(uid: Uid, projectId: Id, commentId: Id): Promise<CommentRatedAnswer> {
    return { updatedComment: await this.one(commentId, uid), updatedProject: await this.projects.view(projectId, uid) };
  }

  private async one(commentId: Id, uid: Uid): Promise<CommentView> {
    const [view] = await this.comments.byIds([commentId], uid);
    if (view === undefined) throw new Refused('comment.not-found');
    return view;
  }
}
