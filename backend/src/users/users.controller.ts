import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { isMember } from '@roughmix/contracts/projects/project.access.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { UserAnswer, UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import type { FastifyReply } from 'fastify';
import { Refused } from '../kernel/refusal.js';
import { ActorParam, type Caller, CurrentCaller, Public } from '../platform/http/caller.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { defaultFaceSvg, faceSvg } from './face.js';
import { SelfQueries } from './self.queries.js';
import { UsersQueries } from './users.queries.js';

const DAY_SECONDS = 24 * 60 * 60;

@Controller('api/users')
export class UsersController {
  constructor(
    private readonly users: UsersQueries,
    private readonly selves: SelfQueries,
    private readonly access: ProjectAccessQueries,
  ) {}

  @Get('auth/:uid')
  @ActorParam('uid')
  async self(@CurrentCaller() caller: Caller): Promise<UserAnswer> {
    return { user: await this.selves.view(caller.uid) };
  }

  @Get('search')
  async search(@CurrentCaller() caller: Caller, @Query('q') query: unknown): Promise<UsersAnswer> {
    if (caller.isGuest) throw new Refused('guest.read-only');
    if (typeof query !== 'string') throw new Refused('request.invalid', { field: 'q' });
    return { users: await this.users.search(query, caller.uid) };
  }

  /** A project's members, the owner first. */
  @Get(':uid/fetchProjectUsers')
  @ActorParam('uid')
  async projectUsers(@CurrentCaller() caller: Caller, @Query('projectId') projectId: unknown): Promise<UsersAnswer> {
    if (typeof projectId !== 'string') throw new Refused('request.invalid', { field: 'projectId' });
    const { project, who } = await this.access.require(projectId, caller.uid);
    if (!isMember(who)) throw new Refused('project.not-found');
    const uids = [project.ownerUid, ...Object.keys(project.members)];
    return { users: uids.map(await this.users.people(uids)) };
  }

  /** The face drawn from a uid, without signing in; a neutral face for an unknown uid. */
  @Get(':uid/photo')
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
      // The uid may be registered soon, so browsers must revalidate the neutral face.
      'Cache-Control': isUnknown ? 'no-cache' : `public, max-age=${DAY_SECONDS}, immutable`,
      ETag: etag,
    });
    if (known !== etag) return svg;
    void reply.status(304);
    return undefined;
  }
}
