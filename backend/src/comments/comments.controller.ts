import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CommentImageBody, EditCommentBody, NewCommentBody, NewImageCommentBody, RatingBody, ReplyBody } from '@roughmix/contracts/comments/comment.api.js';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
  CommentsAnswer,
} from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { RemovalBody } from '@roughmix/contracts/shared/removal.api.js';
import { parseBody } from '../platform/http/body.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { LongBody } from '../platform/http/long-body.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { idsOf } from '../projects/project-access.queries.js';
import { AddComment, AddCommentImage, AddImageComment, EditComment, RateComment, RemoveComment, ReplyToComment } from './comments.commands.js';
import { CommentsQueries } from './comments.queries.js';

/** A body's submission before validation, which depends on the kind of comment. */
function submissionIn(body: unknown): Readonly<Record<string, unknown>> {
  const submission: unknown = typeof body === 'object' && body !== null && 'submission' in body ? body.submission : null;
  return typeof submission === 'object' && submission !== null ? { ...submission } : {};
}

@Controller('api/comments')
export class CommentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly comments: CommentsQueries,
  ) {}

  @Get(':ids')
  async byIds(@CurrentCaller() caller: Caller, @Param('ids') ids: string): Promise<CommentsAnswer> {
    return { comments: await this.comments.byIds(idsOf(ids, LIMITS.idsInOneCall), caller.uid) };
  }

  /** A text comment, or with `submission.type` 'image' an image comment, whose image follows. */
  @Post()
  @LongBody()
  add(@CurrentContext() context: CommandContext, @Body() body: unknown): Promise<CommandAnswer<CommentAddedAnswer>> {
    const isImage = submissionIn(body).type === 'image';
    return this.commands.execute(
      isImage ? new AddImageComment(context, parseBody(NewImageCommentBody, body)) : new AddComment(context, parseBody(NewCommentBody, body)),
    );
  }

  @Post(':id/reply')
  @LongBody()
  reply(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: ReplyBody): Promise<CommandAnswer<CommentReplyAnswer>> {
    return this.commands.execute(new ReplyToComment(context, id, body));
  }

  /** Text and marks, or with `submission.content.uploadId` the image of an image comment. */
  @Put(':id')
  @LongBody()
  edit(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: unknown): Promise<CommandAnswer<CommentEditedAnswer>> {
    const isImage = typeof submissionIn(body).content === 'object';
    return this.commands.execute(
      isImage ? new AddCommentImage(context, id, parseBody(CommentImageBody, body)) : new EditComment(context, id, parseBody(EditCommentBody, body)),
    );
  }

  @Put(':id/rating')
  rate(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: RatingBody): Promise<CommandAnswer<CommentRatedAnswer>> {
    return this.commands.execute(new RateComment(context, id, body));
  }

  @Post(':id')
  @HttpCode(200)
  remove(@CurrentContext() context: CommandContext, @Param('id') id: Id, @Body() body: RemovalBody): Promise<CommandAnswer<CommentRemovedAnswer>> {
    return this.commands.execute(new RemoveComment(context, id, body.projectId));
  }
}
