import { Injectable } from '@nestjs/common';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
  CommentView,
} from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { Executed } from '../platform/streams/streams.js';
import { goneView } from '../projects/project.streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { CommentsQueries } from './comments.queries.js';

/** Whose command it was, in which project, and what it did. */
interface AnswerContext {
  readonly uid: Uid;
  readonly projectId: Id;
  readonly done: Executed<ProjectStreamEvent>;
}

/** Answers to comment commands, read after the command took effect. */
@Injectable()
export class CommentAnswers {
  constructor(
    private readonly projects: ProjectsQueries,
    private readonly comments: CommentsQueries,
  ) {}

  async added(by: AnswerContext, commentId: Id): Promise<CommentAddedAnswer> {
    const [newComment, updatedProject] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { newComment, oldComment: null, updatedProject };
  }

  async replied(by: AnswerContext, commentId: Id): Promise<CommentReplyAnswer> {
    const parentId = by.done.events.flatMap((event) => (event.type === 'CommentReplyAdded' ? event.data.parentCommentId : []))[0] ?? commentId;
    const [newComment, updatedParentComment, updatedProject] = await Promise.all([this.one(by, commentId), this.one(by, parentId), this.project(by)]);
    return { newComment, updatedParentComment, updatedProject };
  }

  async edited(by: AnswerContext, commentId: Id): Promise<CommentEditedAnswer> {
    const [updatedContent, updatedProject] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { updatedContent, updatedProject };
  }

  async removed(by: AnswerContext, parentId: Id | null): Promise<CommentRemovedAnswer> {
    const parent = parentId === null ? null : this.comments.inProject(parentId, by.projectId, by.uid);
    const [updatedParentComment, updatedProject] = await Promise.all([parent, this.project(by)]);
    return { updatedParentComment, updatedProject };
  }

  async rated(by: AnswerContext, commentId: Id): Promise<CommentRatedAnswer> {
    const [updatedComment, updatedProject] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { updatedComment, updatedProject };
  }

  private async one({ uid, projectId, done }: AnswerContext, commentId: Id): Promise<CommentView> {
    const view = await this.comments.inProject(commentId, projectId, uid);
    const dateAdded = done.events[0]?.meta.at ?? 0;
    return view ?? { ...goneView(done, projectId, commentId), content: null, user: null, dateAdded, replyIds: [] };
  }

  private project({ projectId, uid }: AnswerContext): Promise<ProjectView> {
    return this.projects.view(projectId, uid);
  }
}
