import { Module } from '@nestjs/common';
import { CommentAnswers } from './comment-answers.js';
import { CommentImageController } from './comment-image.controller.js';
import { AddCommentImageHandler } from './comment-image.handler.js';
import { CommentsController } from './comments.controller.js';
import { commentHandlers } from './comments.handlers.js';
import { CommentsPushes } from './comments.pushes.js';
import { CommentsQueries } from './comments.queries.js';
import type { SliceParts } from '../platform/slice.js';

@Module({
  controllers: [CommentsController, CommentImageController],
  providers: [CommentAnswers, CommentsPushes, AddCommentImageHandler, ...commentHandlers],
  exports: [CommentsPushes],
})
export class CommentsModule {}

export const parts: SliceParts = { module: CommentsModule, doors: [CommentsQueries], pushes: [CommentsPushes] };
