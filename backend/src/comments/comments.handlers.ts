import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StampBody, TaggedRegionBody } from '@roughmix/contracts/comments/comment.api.js';
import type { CommentMarks, Stamp } from '@roughmix/contracts/comments/comment.events.js';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
} from '@roughmix/contracts/comments/comment.view.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { idFrom } from '../platform/ids.js';
import { PartsQueries } from '../projects/parts.queries.js';
import { ProjectStreams, uidOf } from '../projects/project.streams.js';
import { CommentAnswers } from './comment-answers.js';
import { CommentText } from './comment-text.js';
import { AddComment, AddImageComment, EditComment, RateComment, RemoveComment, ReplyToComment } from './comments.commands.js';

const stampOf = (stamp: StampBody | null | undefined): Stamp | null =>
  stamp === null || stamp === undefined ? null : { versionId: stamp.versionId, at: toMillis(stamp.at) };
const regionIdsOf = (tagged: readonly TaggedRegionBody[] | undefined): readonly string[] => [...new Set(tagged?.map((region) => region._id))];
const marksOf = (submission: { readonly taggedRegions?: readonly TaggedRegionBody[]; readonly stamp?: StampBody | null }): CommentMarks => ({
  taggedRegions: regionIdsOf(submission.taggedRegions),
  stamp: stampOf(submission.stamp),
});

@CommandHandler(AddComment)
export class AddCommentHandler implements ICommandHandler<AddComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly text: CommentText,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, body: { projectId, submission } }: AddComment): Promise<CommandAnswer<CommentAddedAnswer>> {
    const uid = uidOf(context);
    const commentId = idFrom('comment', projectId, uid, context.commandId);
    const done = await this.streams.run(context, projectId, async () => {
      const text = await this.text.store(submission.content, projectId, uid);
      return { type: 'AddComment', data: { commentId, kind: 'text', ...text, versionId: submission.versionId ?? null, marks: marksOf(submission) } };
    });
    return this.streams.answer(done, () => this.answers.added({ context, uid, projectId, done }, commentId));
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
    const marks = { taggedRegions: [], stamp: null };
    const data = { commentId, kind: 'image', content: submission.content.filename, taggedUsers: [], versionId: submission.versionId ?? null, marks } as const;
    const done = await this.streams.run(context, projectId, { type: 'AddComment', data });
    return this.streams.answer(done, () => this.answers.added({ context, uid, projectId, done }, commentId));
  }
}

@CommandHandler(ReplyToComment)
export class ReplyToCommentHandler implements ICommandHandler<ReplyToComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly text: CommentText,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, parentCommentId, body: { projectId, submission } }: ReplyToComment): Promise<CommandAnswer<CommentReplyAnswer>> {
    const uid = uidOf(context);
    const commentId = idFrom('comment', projectId, uid, context.commandId);
    const done = await this.streams.run(context, projectId, async () => {
      const text = await this.text.store(submission.content, projectId, uid);
      return { type: 'ReplyToComment', data: { commentId, parentCommentId, ...text, versionId: submission.versionId ?? null, marks: marksOf(submission) } };
    });
    return this.streams.answer(done, () => this.answers.replied({ context, uid, projectId, done }, commentId));
  }
}

@CommandHandler(EditComment)
export class EditCommentHandler implements ICommandHandler<EditComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly parts: PartsQueries,
    private readonly text: CommentText,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, commentId, body }: EditComment): Promise<CommandAnswer<CommentEditedAnswer>> {
    const uid = uidOf(context);
    const projectId = await this.parts.projectOf({ partId: commentId, projectId: body.projectId, uid, missing: 'comment.not-found' });
    const { content, taggedRegions, stamp } = body.submission;
    const done = await this.streams.run(context, projectId, async () => ({
      type: 'EditComment',
      data: {
        commentId,
        ...(content === undefined ? {} : await this.text.store(content, projectId, uid)),
        ...(taggedRegions === undefined ? {} : { taggedRegions: regionIdsOf(taggedRegions) }),
        ...(stamp === undefined ? {} : { stamp: stampOf(stamp) }),
      },
    }));
    return this.streams.answer(done, () => this.answers.edited({ context, uid, projectId, done }, commentId));
  }
}

@CommandHandler(RemoveComment)
export class RemoveCommentHandler implements ICommandHandler<RemoveComment> {
  constructor(
    private readonly streams: ProjectStreams,
    private readonly answers: CommentAnswers,
  ) {}

  async execute({ context, commentId, projectId }: RemoveComment): Promise<CommandAnswer<CommentRemovedAnswer>> {
    const done = await this.streams.run(context, projectId, { type: 'RemoveComment', data: { commentId } });
    const parentId = done.events.flatMap((event) => (event.type === 'CommentRemoved' ? (event.data.parentCommentId ?? []) : []))[0] ?? null;
    return this.streams.answer(done, () => this.answers.removed({ context, uid: uidOf(context), projectId, done }, parentId));
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
    const done = await this.streams.run(context, projectId, { type: 'RateComment', data: { commentId, type: body.type, on: body.on } });
    return this.streams.answer(done, () => this.answers.rated({ context, uid, projectId, done }, commentId));
  }
}

export const commentHandlers = [AddCommentHandler, AddImageCommentHandler, ReplyToCommentHandler, EditCommentHandler, RemoveCommentHandler, RateCommentHandler];
