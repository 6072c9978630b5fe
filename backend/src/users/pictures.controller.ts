import { createHash } from 'node:crypto';
import { Body, Controller, Delete, Get, Headers, Inject, Param, Put, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { UserImageBody } from '@roughmix/contracts/users/user.api.js';
import type { CoverAnswer, PhotoAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import { ActorParam, Public } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import { ServesFile } from '../platform/http/read-your-writes.js';
import { sendBlob } from '../platform/http/send-blob.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { BLOBS } from '../platform/tokens.js';
import { defaultFaceSvg, faceSvg } from './face.js';
import { pictureKey } from './user.streams.js';
import { ChangeCover, ChangePhoto } from './users.commands.js';
import { UsersQueries } from './users.queries.js';

/** So that a picture that was replaced or deleted is gone at once. */
const CACHE_CONTROL = 'private, no-cache';

/** Photos and covers of profiles, which anyone may see. */
@Controller('api/users/:uid')
export class PicturesController {
  constructor(
    private readonly users: UsersQueries,
    private readonly commands: CommandBus,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  @Put('photo')
  @ActorParam('uid')
  changePhoto(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid, @Body() body: UserImageBody): Promise<CommandAnswer<PhotoAnswer>> {
    return this.commands.execute(new ChangePhoto(context, uid, body));
  }

  @Delete('photo')
  @ActorParam('uid')
  removePhoto(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid): Promise<CommandAnswer<PhotoAnswer>> {
    return this.commands.execute(new ChangePhoto(context, uid, null));
  }

  @Put('cover')
  @ActorParam('uid')
  changeCover(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid, @Body() body: UserImageBody): Promise<CommandAnswer<CoverAnswer>> {
    return this.commands.execute(new ChangeCover(context, uid, body));
  }

  @Delete('cover')
  @ActorParam('uid')
  removeCover(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid): Promise<CommandAnswer<CoverAnswer>> {
    return this.commands.execute(new ChangeCover(context, uid, null));
  }

  /** A current picture. */
  @Get('images/:file')
  @ServesFile()
  @Public()
  async image(@Param('uid') uid: Uid, @Param('file') file: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const contentType = await this.contentTypeOf(uid, file);
    const key = pictureKey(uid, file);
    // A file that was deleted in the meantime.
    if (contentType === null || (await this.blobs.head(key)) === null) throw new Refused('route.not-found');
    await sendBlob(this.blobs, { key, contentType, cacheControl: CACHE_CONTROL }, request, reply);
  }

  /** The type of a picture that the user has now, null for any other. */
  private async contentTypeOf(uid: Uid, file: string): Promise<string | null> {
    const [user, profile] = await Promise.all([this.users.one(uid), this.users.profile(uid)]);
    const { photo = null, cover = null } = { photo: user?.photo, cover: profile?.cover };
    if (photo !== null && (photo.small === file || photo.large === file)) return photo.contentType;
    return cover?.file === file ? cover.contentType : null;
  }

  /** The face drawn from a uid, without signing in; a neutral face for an unknown uid. */
  @Get('photo')
  @ServesFile()
  @Public()
  async photo(
    @Param('uid') uid: Uid,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const person = await this.users.one(uid);
    const isUnknown = person === null || person.erased;
    const svg = isUnknown ? defaultFaceSvg() : faceSvg(uid);
    const etag = `"${createHash('sha256').update(svg).digest('base64url')}"`;
    void reply.headers({
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': CACHE_CONTROL,
      ETag: etag,
    });
    if (known !== etag) return svg;
    void reply.status(304);
    return undefined;
  }
}
