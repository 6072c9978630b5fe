import { Injectable } from '@nestjs/common';
import { seesDislikes } from '@roughmix/contracts/comments/comment.access.js';
import { commentImageUrl, type CommentView, type ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { mentionedIn, showMentions } from '@roughmix/contracts/shared/mentions.js';
import { Refused } from '../kernel/refusal.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { RegionsQueries, type TaggedRegions } from '../regions/regions.queries.js';
import { type People, UsersQueries } from '../users/users.queries.js';
import { type CommentDocument, COMMENTS } from './comments.documents.js';

/** What a comment's view needs besides its own document. */
interface ViewContext {
  readonly people: People;
  readonly regions: TaggedRegions;
  readonly ownerOf: (projectId: Id) => Uid;
}

function contentOf(comment: CommentDocument, people: People): ActiveComment['content'] {
  const { kind, content, image, dateAdded, commentId } = comment;
  if (kind === 'text') return showMentions(content, (uid) => people(uid).username);
  const file =
    image === null ? { mediaUrl: null, width: null, height: null } : { mediaUrl: commentImageUrl(commentId), width: image.width, height: image.height };
  return { ...file, filename: content, dateAdded: image?.dateAdded ?? dateAdded };
}

/** A comment as everyone in the room sees it. */
function roomView(comment: CommentDocument, context: ViewContext): CommentView {
  const { commentId, projectId, dateAdded, replyIds, position } = comment;
  const facts = { _id: commentId, projectId, dateAdded, replyIds, position };
  if (comment.removed) return { ...facts, removed: true, content: null, user: null };
  return {
    ...facts,
    type: comment.kind,
    content: contentOf(comment, context.people),
    user: context.people(comment.authorUid),
    edited: comment.edited,
    versionId: comment.versionId,
    stamp: comment.stamp,
    taggedRegions: context.regions(comment.taggedRegions),
    taggedUsers: comment.taggedUsers,
    isReply: comment.parentCommentId !== null,
    parentCommentId: comment.parentCommentId,
    groupId: null,
    projectOwner: context.ownerOf(projectId),
    likes: comment.likes,
  };
}

/** Adds what only this viewer may see: their own dislike, and the number of dislikes of their own comment. The position follows from what is shown. */
function viewFor(view: CommentView, comment: CommentDocument, uid: Uid): CommentView {
  if (view.removed) return view;
  const { negs, dislikes } = comment;
  const seesAll = seesDislikes({ uid }, comment);
  const seen = Object.entries(dislikes).flatMap(([rater, position]) => (seesAll || rater === uid ? [position] : []));
  const own = { ...view, negs: negs.filter((other) => other === uid), position: Math.max(view.position, ...seen) };
  return seesAll ? { ...own, negCount: negs.length } : own;
}

@Injectable()
export class CommentsQueries {
  constructor(
    private readonly reads: ReadModels,
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
    private readonly regions: RegionsQueries,
  ) {}

  /** Comments in the given order, as everyone in a room sees them: without fields that depend on the viewer. */
  async roomViews(commentIds: readonly Id[], ownerOf: (projectId: Id) => Uid): Promise<readonly CommentView[]> {
    return (await this.withContext(await this.existing(commentIds), ownerOf)).map(({ view }) => view);
  }

  /** Comments of projects whose visibility to the viewer has been checked. */
  async viewsFor(uid: Uid, commentIds: readonly Id[], ownerOf: (projectId: Id) => Uid): Promise<readonly CommentView[]> {
    return this.shown(uid, await this.existing(commentIds), ownerOf);
  }

  /** One comment of a project as a viewer sees it, null when they cannot see it. */
  async inProject(commentId: Id, projectId: Id, uid: Uid): Promise<CommentView | null> {
    const [comments, seen] = await Promise.all([this.existing([commentId]), this.access.allSeenBy([projectId], uid)]);
    const project = seen.get(projectId)?.project;
    if (project === undefined) return null;
    const own = comments.filter((comment) => comment.projectId === projectId);
    return (await this.shown(uid, own, () => project.ownerUid))[0] ?? null;
  }

  /** Those of the given comments that the viewer may see. */
  async byIds(commentIds: readonly Id[], uid: Uid): Promise<readonly CommentView[]> {
    const comments = await this.existing(commentIds);
    const seen = await this.access.allSeenBy(
      comments.map((comment) => comment.projectId),
      uid,
    );
    const visible = comments.filter((comment) => seen.has(comment.projectId));
    return this.shown(uid, visible, (projectId) => seen.get(projectId)?.project.ownerUid ?? '');
  }

  /** All comments and replies of a project for a viewer who may see it, in the order of threads. */
  async ofProject(uid: Uid, project: { readonly commentIds: readonly Id[]; readonly ownerUid: Uid }): Promise<readonly CommentView[]> {
    const first = await this.existing(project.commentIds);
    const replies = new Map((await this.existing(first.flatMap(({ replyIds }) => replyIds))).map((reply) => [reply.commentId, reply]));
    const inOrder = first.flatMap((comment) => [comment, ...comment.replyIds.flatMap((id) => replies.get(id) ?? [])]);
    return this.shown(uid, inOrder, () => project.ownerUid);
  }

  /** @throws Refused `comment.not-found` when the viewer cannot see it, or it is in another project */
  async require(commentId: Id, uid: Uid, projectId?: Id): Promise<CommentDocument> {
    const comment = await this.reads.get<CommentDocument>(COMMENTS, commentId);
    if (comment === null || (projectId !== undefined && comment.projectId !== projectId)) throw new Refused('comment.not-found');
    if ((await this.access.seenBy(comment.projectId, uid)) === null) throw new Refused('comment.not-found');
    return comment;
  }

  /** The author of a comment, null when it is gone. */
  async authorOf(commentId: Id): Promise<Uid | null> {
    return (await this.reads.get<CommentDocument>(COMMENTS, commentId))?.authorUid ?? null;
  }

  /** Whether the read model has parked the project at an unreadable event, so comments do not show later changes. */
  isParked(projectId: Id): Promise<boolean> {
    return this.reads.isParked(COMMENTS, projectStream(projectId));
  }

  private existing(commentIds: readonly Id[]): Promise<readonly CommentDocument[]> {
    return this.reads.getMany<CommentDocument>(COMMENTS, commentIds);
  }

  private async shown(uid: Uid, comments: readonly CommentDocument[], ownerOf: (projectId: Id) => Uid): Promise<readonly CommentView[]> {
    return (await this.withContext(comments, ownerOf)).map(({ view, comment }) => viewFor(view, comment, uid));
  }

  private async withContext(
    comments: readonly CommentDocument[],
    ownerOf: (projectId: Id) => Uid,
  ): Promise<readonly { view: CommentView; comment: CommentDocument }[]> {
    const [people, regions] = await Promise.all([
      this.users.people(comments.flatMap((comment) => [comment.authorUid, ...mentionedIn(comment.content)])),
      this.regions.tagged(comments.flatMap((comment) => comment.taggedRegions)),
    ]);
    const context = { people, regions, ownerOf };
    return comments.map((comment) => ({ view: roomView(comment, context), comment }));
  }
}
