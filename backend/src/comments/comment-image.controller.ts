import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { ServesFile } from '../platform/http/read-your-writes.js';
import { sendBlob } from '../platform/http/send-blob.js';
import { BLOBS } from '../platform/tokens.js';
import { CommentsQueries } from './comments.queries.js';

@Controller('api/comments/:commentId/image')
export class CommentImageController {
  constructor(
    private readonly comments: CommentsQueries,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  @Get()
  @ServesFile()
  async image(@CurrentCaller() caller: Caller, @Param('commentId') commentId: Id, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { image } = await this.comments.require(commentId, caller.uid);
    if (image === null) throw new Refused('comment.not-found');
    await sendBlob(this.blobs, { key: image.key, contentType: image.contentType, cacheControl: 'private, no-cache' }, request, reply);
  }
}
