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
import type { AsPreferred } from '@roughmix/contracts/shared/answers.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { CommandContext, Executed } from '../platform/streams/streams.js';
import { goneView } from '../projects/project.streams.js';
import { ProjectsQueries } from '../projects/projects.queries.js';
import { CommentsQueries } from './comments.queries.js';

/** Whose command it was, in which context and project, and what it did. */
interface AnswerContext {
  readonly context: CommandContext;
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

  async added(by: AnswerContext, commentId: Id): Promise<AsPreferred<CommentAddedAnswer>> {
    const [newComment, project] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { newComment, oldComment: null, ...project };
  }

  async replied(by: AnswerContext, commentId: Id): Promise<AsPreferred<CommentReplyAnswer>> {
    const parentId = by.done.events.flatMap((event) => (event.type === 'CommentReplyAdded' ? event.data.parentCommentId : []))[0] ?? commentId;
    const [newComment, updatedParentComment, project] = await Promise.all([this.one(by, commentId), this.one(by, parentId), this.project(by)]);
    return { newComment, updatedParentComment, ...project };
  }

  async edited(by: AnswerContext, commentId: Id): Promise<AsPreferred<CommentEditedAnswer>> {
    const [updatedContent, project] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { updatedContent, ...project };
  }

  async removed(by: AnswerContext, parentId: Id | null): Promise<AsPreferred<CommentRemovedAnswer>> {
    const parent = parentId === null ? null : this.comments.inProject(parentId, by.projectId, by.uid);
    const [updatedParentComment, project] = await Promise.all([parent, this.project(by)]);
    return { updatedParentComment, ...project };
  }

  async rated(by: AnswerContext, commentId: Id): Promise<AsPreferred<CommentRatedAnswer>> {
    const [updatedComment, project] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { updatedComment, ...project };
  }

  private async one({ uid, projectId, done }: AnswerContext, commentId: Id): Promise<CommentView> {
    const view = await this.comments.inProject(commentId, projectId, uid);
    const dateAdded = done.events[0]?.meta.at ?? 0;
    return view ?? { ...goneView(done, projectId, commentId), content: null, user: null, dateAdded, replyIds: [] };
  }

  private project({ context, projectId }: AnswerContext): Promise<{ readonly updatedProject?: ProjectView }> {
    return this.projects.updated(context, projectId);
  }
}
