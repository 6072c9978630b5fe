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

/** An executed command: its context, author, project and result. */
interface ExecutedCommand {
  readonly context: CommandContext;
  readonly uid: Uid;
  readonly projectId: Id;
  readonly result: Executed<ProjectStreamEvent>;
}

/** Answers to comment commands, read after the command took effect. */
@Injectable()
export class CommentAnswers {
  constructor(
    private readonly projects: ProjectsQueries,
    private readonly comments: CommentsQueries,
  ) {}

  async added(executed: ExecutedCommand, commentId: Id): Promise<AsPreferred<CommentAddedAnswer>> {
    const [newComment, project] = await Promise.all([this.one(executed, commentId), this.project(executed)]);
    return { newComment, oldComment: null, ...project };
  }

  async replied(executed: ExecutedCommand, commentId: Id): Promise<AsPreferred<CommentReplyAnswer>> {
    const parentId = executed.result.events.flatMap((event) => (event.type === 'CommentReplyAdded' ? event.data.parentCommentId : []))[0] ?? commentId;
    const [newComment, updatedParentComment, project] = await Promise.all([
      this.one(executed, commentId),
      this.one(executed, parentId),
      this.project(executed),
    ]);
    return { newComment, updatedParentComment, ...project };
  }

  async edited(executed: ExecutedCommand, commentId: Id): Promise<AsPreferred<CommentEditedAnswer>> {
    const [updatedContent, project] = await Promise.all([this.one(executed, commentId), this.project(executed)]);
    return { updatedContent, ...project };
  }

  async removed(executed: ExecutedCommand, parentId: Id | null): Promise<AsPreferred<CommentRemovedAnswer>> {
    const parent = parentId === null ? null : this.comments.inProject(parentId, executed.projectId, executed.uid);
    const [updatedParentComment, project] = await Promise.all([parent, this.project(executed)]);
    return { updatedParentComment, ...project };
  }

  async rated(executed: ExecutedCommand, commentId: Id): Promise<AsPreferred<CommentRatedAnswer>> {
    const [updatedComment, project] = await Promise.all([this.one(executed, commentId), this.project(executed)]);
    return { updatedComment, ...project };
  }

  private async one({ uid, projectId, result }: ExecutedCommand, commentId: Id): Promise<CommentView> {
    const view = await this.comments.inProject(commentId, projectId, uid);
    const dateAdded = result.events[0]?.meta.at ?? 0;
    return view ?? { ...goneView(result, projectId, commentId), content: null, user: null, dateAdded, replyIds: [] };
  }

  private project({ context, projectId }: ExecutedCommand): Promise<{ readonly updatedProject?: ProjectView }> {
    return this.projects.updated(context, projectId);
  }
}
