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

/** Whom the answer is for, about which project, and what the command did. */
interface Answering {
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

  async added(by: Answering, commentId: Id): Promise<CommentAddedAnswer> {
    return { newComment: await this.one(by, commentId), oldComment: null, updatedProject: await this.project(by) };
  }

  async replied(by: Answering, commentId: Id): Promise<CommentReplyAnswer> {
    const parentId = by.done.events.flatMap((event) => (event.type === 'CommentReplyAdded' ? event.data.parentCommentId : []))[0] ?? commentId;
    return { newComment: await this.one(by, commentId), updatedParentComment: await this.one(by, parentId), updatedProject: await this.project(by) };
  }

  async edited(by: Answering, commentId: Id): Promise<CommentEditedAnswer> {
    return { updatedContent: await this.one(by, commentId), updatedProject: await this.project(by) };
  }

  async removed(by: Answering, parentId: Id | null): Promise<CommentRemovedAnswer> {
    const [parent] = parentId === null ? [] : await this.comments.byIds([parentId], by.uid);
    return { updatedParentComment: parent ?? null, updatedProject: await this.project(by) };
  }

  async rated(by: Answering, commentId: Id): Promise<CommentRatedAnswer> {
    return { updatedComment: await this.one(by, commentId), updatedProject: await this.project(by) };
  }

  private async one({ uid, projectId, done }: Answering, commentId: Id): Promise<CommentView> {
    const [view] = await this.comments.byIds([commentId], uid);
    const dateAdded = done.events[0]?.meta.at ?? 0;
    return view ?? { ...goneView(done, projectId, commentId), content: null, user: null, dateAdded, replyIds: [] };
  }

  private project({ projectId, uid }: Answering): Promise<ProjectView> {
    return this.projects.view(projectId, uid);
  }
}
