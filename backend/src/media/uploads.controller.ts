import { Body, Controller, Inject, Param, Post, Put, Req, Res } from '@nestjs/common';
import { NewUploadBody, type NewUploadAnswer } from '@roughmix/contracts/media/upload.api.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Refused } from '../kernel/refusal.js';
import { acceptPut } from '../platform/blobs/accept-put.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { DiskBlobStore } from '../platform/blobs/disk-blob-store.js';
import { type Caller, CurrentCaller, Public } from '../platform/http/caller.js';
import { BLOBS } from '../platform/tokens.js';
import { DiskReserve } from '../platform/uploads/disk-reserve.js';
import { uploadKey, Uploads, uploadOf } from '../platform/uploads/uploads.js';
import { UploadRights } from './upload-rights.js';

@Controller('api/storage')
export class UploadsController {
  constructor(
    private readonly rights: UploadRights,
    private readonly uploads: Uploads,
    private readonly reserve: DiskReserve,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  @Post('uploads')
  async announce(@CurrentCaller() caller: Caller, @Body() body: NewUploadBody): Promise<NewUploadAnswer> {
    const versionId = await this.rights.check(body, caller.uid);
    await this.reserve.require(body.size);
    const { purpose, projectId = null, commentId = null, filename, size } = body;
    const place = purpose === 'version' || purpose === 'comment-image' ? { projectId, commentId } : { projectId: null, commentId: null };
    const request = { uid: caller.uid, purpose, ...place, versionId, filename, size };
    return this.uploads.announce(request, (bytes) => this.rights.checkBytes(body, caller.uid, bytes));
  }

  /** Accepts the bytes of an announced upload; the signed URL is the authorisation. */
  @Public()
  @Put('put/:token')
  async put(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!(this.blobs instanceof DiskBlobStore)) throw new Refused('route.not-found');
    const claims = this.blobs.puts.read(token);
    const uploadId = claims === null ? null : uploadOf(claims.key);
    if (claims === null || uploadId === null) throw new Refused('upload.not-found');
    await this.reserve.require(claims.size);
    if (!(await this.uploads.mark(uploadId, 'filling'))) throw new Refused('upload.not-found');
    const length = request.headers['content-length'];
    const body = request.body instanceof Readable ? request.body : Readable.from([]);
    const contentType = request.headers['content-type'] ?? null;
    const put = { token, body, contentLength: length === undefined ? null : Number(length), contentType };
    const result = await acceptPut(this.blobs, put).catch(async (error: unknown) => {
      await this.reopen(uploadId);
      throw error;
    });
    if (!result.ok) {
      if (result.code !== 'upload.used') await this.reopen(uploadId);
      throw new Refused(result.code);
    }
    // No longer wanted: used by a parallel request, closed or expired in the meantime.
    if (!(await this.uploads.mark(uploadId, 'filled'))) await this.blobs.remove(result.key);
    await reply.status(204).send();
  }

  /** Marks an upload as not yet received, unless another request is filling it right now. */
  private async reopen(uploadId: Id): Promise<void> {
    if (this.blobs instanceof DiskBlobStore && this.blobs.puts.isReceiving(uploadKey(uploadId))) return;
    await this.uploads.mark(uploadId, 'open');
  }
}
