import { Body, Controller, Delete, Get, Param, Put, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ConnectionsAnswer, ProfilePageAnswer } from '@roughmix/contracts/profiles/profile.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { EmptyBody } from '@roughmix/contracts/users/user.api.js';
import type { UpdatedUserAnswer } from '@roughmix/contracts/users/user.view.js';
import { ActorParam, type GuardedRequest, Public } from '../platform/http/caller.js';
import type { CommandAnswer } from '../platform/http/command-answer.js';
import { CurrentContext } from '../platform/http/request-context.js';
import type { CommandContext } from '../platform/streams/streams.js';
import { ChangeConnection } from './profiles.commands.js';
import { ProfilesQueries } from './profiles.queries.js';

/** Profiles, which everyone may see, and connections. */
@Controller('api/users')
export class ProfilesController {
  constructor(
    private readonly profiles: ProfilesQueries,
    private readonly commands: CommandBus,
  ) {}

  @Get('fetchProfilePageUserData')
  @Public()
  page(@Req() { caller }: GuardedRequest, @Query('href') href: unknown): Promise<ProfilePageAnswer> {
    return this.profiles.pageAt(href, caller ?? null);
  }

  @Get(':uid/fetchUserConnections')
  @Public()
  connections(@Req() { caller }: GuardedRequest, @Param('uid') uid: Uid): Promise<ConnectionsAnswer> {
    return this.profiles.connectionsAnswer(uid, caller ?? null);
  }

  @Put(':uid/connections/:otherUid')
  @ActorParam('uid')
  follow(
    @CurrentContext() context: CommandContext,
    @Param('uid') uid: Uid,
    @Param('otherUid') otherUid: Uid,
    @Body() _body: EmptyBody,
  ): Promise<CommandAnswer<UpdatedUserAnswer>> {
    return this.commands.execute(new ChangeConnection(context, uid, otherUid, true));
  }

  @Delete(':uid/connections/:otherUid')
  @ActorParam('uid')
  unfollow(@CurrentContext() context: CommandContext, @Param('uid') uid: Uid, @Param('otherUid') otherUid: Uid): Promise<CommandAnswer<UpdatedUserAnswer>> {
    return this.commands.execute(new ChangeConnection(context, uid, otherUid, false));
  }
}
