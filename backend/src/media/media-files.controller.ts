import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { mayDownload } from '@roughmix/contracts/projects/project.access.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { sendOrRedirectBlob } from '../platform/http/send-or-redirect-blob.js';
import { ServesFile } from '../platform/http/read-your-writes.js';
import { sendBlob } from '../platform/http/send-blob.js';
import { BLOBS, CLOCK } from '../platform/tokens.js';
import { type SeenVersion, VersionsQueries } from '../versions/versions.queries.js';

/** A key's file never changes, but the right to read it does, so browsers revalidate each time and mostly get a 304. */
const REVALIDATE = 'private, no-cache';
/** Lifetimes of a signed URL for playback (the player fetches a new one when needed) and of one for a download. */
const LISTEN_MS = LIMITS.audioAddressMinutes * 60_000;
const SAVE_MS = 60_000;
const IMMUTABLE = 'private, max-age=31536000, immutable';

/** A version's audio (the copy for browsers, if there is one), peaks and download (the original). Each request is authorised. */
@Controller('api/media/:versionId')
export class MediaFilesController {
  constructor(
    private readonly versions: VersionsQueries,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('audio')
  @ServesFile()
  async audio(@CurrentCaller() caller: Caller, @Param('versionId') versionId: Id, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { copy, file } = (await this.playable(versionId, caller)).version;
    const { key, contentType } = copy ?? file;
    await sendOrRedirectBlob(this.blobs, { key, contentType, cacheControl: REVALIDATE, expiresAt: this.clock() + LISTEN_MS }, request, reply);
  }

  @Get('download')
  @ServesFile()
  async download(
    @CurrentCaller() caller: Caller,
    @Param('versionId') versionId: Id,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { version, who } = await this.playable(versionId, caller);
    if (!mayDownload(who)) throw new Refused('version.no-download');
    const { key, contentType, filename } = version.file;
    const sent = { key, contentType, cacheControl: REVALIDATE, downloadAs: filename, expiresAt: this.clock() + SAVE_MS };
    await sendOrRedirectBlob(this.blobs, sent, request, reply);
  }

  @Get('peaks')
  @ServesFile()
  async peaks(
    @CurrentCaller() caller: Caller,
    @Param('versionId') versionId: Id,
    @Query('level') level: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { version } = await this.playable(versionId, caller);
    const requested = Number(level ?? '0');
    if (version.peaksKey === null || !Number.isInteger(requested) || requested < 0 || requested >= version.peaksLevels) throw new Refused('version.not-found');
    await sendBlob(this.blobs, { key: `${version.peaksKey}/${requested}`, contentType: 'application/octet-stream', cacheControl: IMMUTABLE }, request, reply);
  }

  /** A rejected version has no file. */
  private async playable(versionId: Id, caller: Caller): Promise<SeenVersion> {
    const seen = await this.versions.require(versionId, caller.uid);
    if (seen.version.state === 'rejected') throw new Refused('version.not-found');
    return seen;
  }
}
