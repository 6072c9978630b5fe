import { Command } from '@nestjs/cqrs';
import type {
  CommentImageBody,
  EditCommentBody,
  NewCommentBody,
  NewImageCommentBody,
  RatingBody,
  ReplyBody,
} from '@roughmix/contracts/comments/comment.api.js';
import type {
  CommentAddedAnswer,
  CommentEditedAnswer,
  CommentRatedAnswer,
  CommentRemovedAnswer,
  CommentReplyAnswer,
} from '@roughmix/contracts/comments/comment.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import type { CommandContext } from '../platform/streams/streams.js';

export class AddComment extends Command<CommandAnswer<CommentAddedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly body: NewCommentBody,
  ) {
    super();
  }
}

export class AddImageComment extends Command<CommandAnswer<CommentAddedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly body: NewImageCommentBody,
  ) {
    super();
  }
}

export class ReplyToComment extends Command<CommandAnswer<CommentReplyAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly parentCommentId: Id,
    readonly body: ReplyBody,
  ) {
    super();
  }
}

export class EditComment extends Command<CommandAnswer<CommentEditedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly commentId: Id,
    readonly body: EditCommentBody,
  ) {
    super();
  }
}

export class AddCommentImage extends Command<CommandAnswer<CommentEditedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly commentId: Id,
    readonly body: CommentImageBody,
  ) {
    super();
  }
}

export class RemoveComment extends Command<CommandAnswer<CommentRemovedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly commentId: Id,
    readonly projectId: Id | undefined,
  ) {
    super();
  }
}

export class RateComment extends Command<CommandAnswer<CommentRatedAnswer>> {
  constructor(
    readonly context: CommandContext,
    readonly commentId: Id,
    readonly body: RatingBody,
  ) {
    super();
  }
}
