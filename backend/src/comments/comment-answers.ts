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

/** Whom the answer is for, in which context they asked, about which project, and what the command did. */
interface Answering {
  readonly context: CommandContext;
  readonly uid: Uid;
  readonly projectId: Id;
  readonly done: Executed<ProjectStreamEvent>;
}

/** The payloads that the comments' commands answer, as they stand afterwards. */
@Injectable()
export class CommentAnswers {
  constructor(
    private readonly projects: ProjectsQueries,
    private readonly comments: CommentsQueries,
  ) {}

  async added(by: Answering, commentId: Id): Promise<AsPreferred<CommentAddedAnswer>> {
    const [newComment, project] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { newComment, oldComment: null, ...project };
  }

  async replied(by: Answering, commentId: Id): Promise<AsPreferred<CommentReplyAnswer>> {
    const parentId = by.done.events.flatMap((event) => (event.type === 'CommentReplyAdded' ? event.data.parentCommentId : []))[0] ?? commentId;
    const [newComment, updatedParentComment, project] = await Promise.all([this.one(by, commentId), this.one(by, parentId), this.project(by)]);
    return { newComment, updatedParentComment, ...project };
  }

  async edited(by: Answering, commentId: Id): Promise<AsPreferred<CommentEditedAnswer>> {
    const [updatedContent, project] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { updatedContent, ...project };
  }

  async removed(by: Answering, parentId: Id | null): Promise<AsPreferred<CommentRemovedAnswer>> {
    const parent = parentId === null ? null : this.comments.inProject(parentId, by.projectId, by.uid);
    const [updatedParentComment, project] = await Promise.all([parent, this.project(by)]);
    return { updatedParentComment, ...project };
  }

  async rated(by: Answering, commentId: Id): Promise<AsPreferred<CommentRatedAnswer>> {
    const [updatedComment, project] = await Promise.all([this.one(by, commentId), this.project(by)]);
    return { updatedComment, ...project };
  }

  private async one({ uid, projectId, done }: Answering, commentId: Id): Promise<CommentView> {
    const view = await this.comments.inProject(commentId, projectId, uid);
    const dateAdded = done.events[0]?.meta.at ?? 0;
    return view ?? { ...goneView(done, projectId, commentId), content: null, user: null, dateAdded, replyIds: [] };
  }

  private project({ context, projectId }: Answering): Promise<{ readonly updatedProject?: ProjectView }> {
    return this.projects.updated(context, projectId);
  }
}
