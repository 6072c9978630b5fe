import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
} from '@roughmix/contracts/comments/comment.view.js';
import { marksOf } from '@roughmix/contracts/shared/marks.api.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { PostTextQueries } from '../projects/post-text.queries.js';
import { childRegionId, ProjectStreams, uidOf } from '../projects/project.streams.js';
import { CommentAnswers } from './comment-answers.js';
import { AddComment, AddImageComment, EditComment, RateComment, RemoveComment, ReplyToComment } from './comments.commands.js';

@CommandHandler(AddComment)
export class AddCommentHandler implements ICommandHandler<AddComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly text: PostTextQueries,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, body: { projectId, submission } }: AddComment): Promise<CommandAnswer<CommentAddedAnswer>> {
    const uid = uidOf(context);
    const commentId = idFrom('comment', projectId, uid, context.commandId);
    const result = await this.streams.run(context, projectId, async () => {
      const text = await this.text.store({ typed: submission.content, projectId, uid, empty: 'comment.empty' });
      return {
        type: 'AddComment',
        data: { commentId, kind: 'text', ...text, versionId: submission.versionId ?? null, marks: marksOf(submission, childRegionId(context, projectId)) },
      };
    });
    return this.streams.answer(result, () => this.answers.added({ context, uid, projectId, result }, commentId));
  }
}

@CommandHandler(AddImageComment)
export class AddImageCommentHandler implements ICommandHandler<AddImageComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, body: { projectId, submission } }: AddImageComment): Promise<CommandAnswer<CommentAddedAnswer>> {
    const uid = uidOf(context);
    const commentId = idFrom('comment', projectId, uid, context.commandId);
    const { content, versionId = null } = submission;
    const data = { commentId, kind: 'image', content: content.filename, taggedUsers: [], versionId, marks: {} } as const;
    const result = await this.streams.run(context, projectId, { type: 'AddComment', data });
    return this.streams.answer(result, () => this.answers.added({ context, uid, projectId, result }, commentId));
  }
}

@CommandHandler(ReplyToComment)
export class ReplyToCommentHandler implements ICommandHandler<ReplyToComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly text: PostTextQueries,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, parentCommentId, body: { projectId, submission } }: ReplyToComment): Promise<CommandAnswer<CommentReplyAnswer>> {
    const uid = uidOf(context);
    const commentId = idFrom('comment', projectId, uid, context.commandId);
    const result = await this.streams.run(context, projectId, async () => {
      const text = await this.text.store({ typed: submission.content, projectId, uid, empty: 'comment.empty' });
      return {
        type: 'ReplyToComment',
        data: { commentId, parentCommentId, ...text, versionId: submission.versionId ?? null, marks: marksOf(submission, childRegionId(context, projectId)) },
      };
    });
    return this.streams.answer(result, () => this.answers.replied({ context, uid, projectId, result }, commentId));
  }
}

@CommandHandler(EditComment)
export class EditCommentHandler implements ICommandHandler<EditComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly text: PostTextQueries,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, commentId, body }: EditComment): Promise<CommandAnswer<CommentEditedAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: commentId, projectId: body.projectId, uid, missing: 'comment.not-found' });
    const { content, ...marks } = body.submission;
    const before = async (): Promise<string | undefined> => (await this.streams.state(projectId)).comments[commentId]?.content;
    const result = await this.streams.run(context, projectId, async () => ({
      type: 'EditComment',
      data: {
        commentId,
        ...(content === undefined ? {} : await this.text.store({ typed: content, projectId, uid, empty: 'comment.empty', before: await before() })),
        ...marksOf(marks, childRegionId(context, projectId)),
      },
    }));
    return this.streams.answer(result, () => this.answers.edited({ context, uid, projectId, result }, commentId));
  }
}

@CommandHandler(RemoveComment)
export class RemoveCommentHandler implements ICommandHandler<RemoveComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, commentId, projectId: named }: RemoveComment): Promise<CommandAnswer<CommentRemovedAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: commentId, projectId: named, uid, missing: 'comment.not-found' });
    const result = await this.streams.run(context, projectId, { type: 'RemoveComment', data: { commentId } });
    const parentId = result.events.flatMap((event) => (event.type === 'CommentRemoved' ? (event.data.parentCommentId ?? []) : []))[0] ?? null;
    return this.streams.answer(result, () => this.answers.removed({ context, uid, projectId, result }, parentId));
  }
}

@CommandHandler(RateComment)
export class RateCommentHandler implements ICommandHandler<RateComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, commentId, body }: RateComment): Promise<CommandAnswer<CommentRatedAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: commentId, projectId: body.projectId, uid, missing: 'comment.not-found' });
    const result = await this.streams.run(context, projectId, { type: 'RateComment', data: { commentId, type: body.type, on: body.on } });
    return this.streams.answer(result, () => this.answers.rated({ context, uid, projectId, result }, commentId));
  }
}

export const commentHandlers = [AddCommentHandler, AddImageCommentHandler, ReplyToCommentHandler, EditCommentHandler, RemoveCommentHandler, RateCommentHandler];
